import type {
  Attributes,
  AttributeValue,
  Exception,
  HrTime,
  Link,
  SpanContext,
  SpanKind,
  SpanStatus,
} from "@opentelemetry/api";
import type { ReadableSpan, Span, TimedEvent } from "@opentelemetry/sdk-trace";
import type { EndedSpan } from "@reenact/capture";

const INTERNAL: SpanKind.INTERNAL = 0;
const CLIENT: SpanKind.CLIENT = 2;
const OK = 1;
const ERROR = 2;
const SAMPLED = 1;

/** A span of the SDK's interface over what capture has seen: our ids, our times, our order of attributes, no limits. */
export class RecordedSpan implements Span {
  name: string;
  readonly kind: SpanKind;
  readonly parentSpanContext?: SpanContext;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  status: SpanStatus;
  readonly attributes: Attributes = {};
  readonly links: Link[] = [];
  readonly events: TimedEvent[] = [];
  readonly resource: ReadableSpan["resource"];
  readonly instrumentationScope: ReadableSpan["instrumentationScope"];
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  ended = false;
  readonly #context: SpanContext;

  constructor(from: EndedSpan, resource: ReadableSpan["resource"], scope: ReadableSpan["instrumentationScope"]) {
    this.#context = { traceId: from.traceId, spanId: from.spanId, traceFlags: SAMPLED };
    if (from.parentSpanId !== null)
      this.parentSpanContext = { traceId: from.traceId, spanId: from.parentSpanId, traceFlags: SAMPLED };
    this.name = from.name;
    this.kind = from.client ? CLIENT : INTERNAL;
    this.startTime = hrTime(from.started);
    this.endTime = hrTime(Math.max(from.started, from.ended));
    this.status = from.ok ? { code: OK } : { code: ERROR, message: from.message };
    for (const [key, value] of from.attributes) this.attributes[key] = value;
    for (const { name, time, attributes } of from.events) this.events.push({ name, time: hrTime(time), attributes });
    if (from.link !== null) this.links.push({ context: { ...from.link, traceFlags: SAMPLED } });
    this.resource = resource;
    this.instrumentationScope = scope;
  }

  get duration(): HrTime {
    const nanos = (this.endTime[0] - this.startTime[0]) * 1e9 + this.endTime[1] - this.startTime[1];
    return [Math.trunc(nanos / 1e9), nanos % 1e9];
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  isRecording(): boolean {
    return !this.ended;
  }

  setAttribute(key: string, value: AttributeValue): this {
    if (!this.ended) this.attributes[key] = value;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    if (!this.ended) Object.assign(this.attributes, attributes);
    return this;
  }

  addEvent(name: string, attributes?: unknown): this {
    const given =
      typeof attributes === "object" &&
      attributes !== null &&
      !Array.isArray(attributes) &&
      !(attributes instanceof Date);
    if (!this.ended)
      this.events.push({ name, time: this.endTime, ...(given ? { attributes: attributes as Attributes } : {}) });
    return this;
  }

  addLink(link: Link): this {
    if (!this.ended) this.links.push(link);
    return this;
  }

  addLinks(links: Link[]): this {
    for (const link of links) this.addLink(link);
    return this;
  }

  /** As in the SDK: an OK status stays. */
  setStatus(status: SpanStatus): this {
    if (!this.ended && status.code !== 0 && this.status.code !== OK) this.status = status;
    return this;
  }

  updateName(name: string): this {
    if (!this.ended) this.name = name;
    return this;
  }

  recordException(exception: Exception): void {
    const message = typeof exception === "string" ? exception : exception.message;
    this.addEvent("exception", message === undefined ? {} : { "exception.message": message });
  }

  /** The times are the recorded ones. */
  end(): void {
    this.ended = true;
  }
}

/** Milliseconds since the epoch, with a fraction → `[seconds, nanoseconds]`. */
export function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  const nanos = Math.round((ms - seconds * 1000) * 1e6);
  return nanos === 1e9 ? [seconds + 1, 0] : [seconds, nanos];
}
