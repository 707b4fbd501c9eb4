import { ATTR } from "@reenact/envelope";
import type { AttributeValue, Operation } from "../span/dialect.ts";
import type { StepDraft } from "../span/draft.ts";
import { warnOnce } from "../fault/faults.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { ScrubHint } from "../redact/scrubbed.ts";
import type { EndedSpan, Sink, StepFacts } from "../run/sink.ts";
import { spanOfDraft } from "../span/span-of-draft.ts";

/** What we need of OpenTelemetry; `@opentelemetry/api` is the instrumentations' peer, not ours. */
interface ApiSpan {
  setAttribute(key: string, value: AttributeValue): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(time?: number): void;
  /** of the SDK's own spans: what is left after its limits */
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly droppedAttributesCount?: number;
}

export interface ApiTracerProvider {
  getTracer(
    name: string,
    version?: string,
  ): { startSpan(name: string, options: { kind: number; startTime: number }): ApiSpan };
}

/** A scrubber that tells the fences behind it which texts it has made. */
interface Vouching extends Scrubber {
  readonly alreadyRedacted?: { add(text: string, hint?: ScrubHint): void };
}

const CLIENT = 2;
const OK = 1;
const ERROR = 2;
const RECORD_ONLY = new Set<string>([ATTR.record, ATTR.recordLength, ATTR.runId, ATTR.schema]);

/** Turns the steps of one call into spans of the user's tracer, started in the user's context. */
export class AttachedSink implements Sink {
  readonly #options: { readonly record: boolean; tracerProvider(): ApiTracerProvider };
  readonly #scrubber: Vouching | null;
  readonly #onEnd: () => void;
  readonly #open = new Map<string, ApiSpan>();

  /** `onEnd`: a span has ended */
  constructor(
    options: { readonly record: boolean; tracerProvider(): ApiTracerProvider },
    scrubber: Scrubber | null,
    onEnd: () => void,
  ) {
    this.#options = options;
    this.#scrubber = scrubber;
    this.#onEnd = onEnd;
  }

  begin(step: StepFacts): void {
    const tracer = this.#options.tracerProvider().getTracer("@reenact/capture");
    this.#open.set(step.spanId, tracer.startSpan(step.name, { kind: CLIENT, startTime: step.started }));
  }

  step(draft: StepDraft, operation: Operation | null): boolean {
    this.span(spanOfDraft(draft, operation));
    return true;
  }

  /** The span ends whatever its setters do. */
  span(ended: EndedSpan): void {
    const span = this.#open.get(ended.spanId);
    if (span === undefined) return;
    this.#open.delete(ended.spanId);
    try {
      // first, since an SDK keeps the first attributes when there are too many
      span.setAttribute("reenact.replayable", false);
      for (const [key, value] of ended.attributes) {
        if (!this.#options.record && RECORD_ONLY.has(key)) continue;
        this.#markRedacted(value, { key, mime: mimeOfValue(key, ended.attributes) });
        span.setAttribute(key, value);
      }
      if (!ended.ok) {
        this.#markRedacted(ended.message, {});
        span.setStatus({ code: ERROR, message: ended.message });
      } else if (!ended.aborted) span.setStatus({ code: OK });
      sayWhatWasCut(span);
    } finally {
      this.#onEnd();
      span.end(ended.ended);
    }
  }

  started(): void {}
  settle(): void {}
  metadata(): void {}
  input(): void {}
  request(): void {}
  yielded(): void {}
  answered(): boolean {
    return false;
  }
  over(): void {}

  /** Marks texts as redacted: the user's own RedactionProcessor neither scans them again nor changes the record. */
  #markRedacted(value: AttributeValue, hint: ScrubHint): void {
    for (const text of Array.isArray(value) ? value : [value])
      if (typeof text === "string") this.#scrubber?.alreadyRedacted?.add(text, hint);
  }
}

/** The content type that another attribute gives for the text of this one. */
function mimeOfValue(key: string, attributes: EndedSpan["attributes"]): string | undefined {
  const name = key === ATTR.inputValue ? ATTR.inputMime : key === ATTR.outputValue ? ATTR.outputMime : null;
  const mime = name === null ? undefined : attributes.find(([each]) => each === name)?.[1];
  return typeof mime === "string" ? mime : undefined;
}

function sayWhatWasCut(span: ApiSpan): void {
  const record = span.attributes?.[ATTR.record];
  const length = span.attributes?.[ATTR.recordLength];
  const cut = typeof record === "string" && typeof length === "number" && record.length < length;
  if (cut || (span.droppedAttributesCount ?? 0) > 0)
    warnOnce(
      "attach:limits",
      "span limits have cut what was recorded: raise attributeValueLengthLimit and attributeCountLimit in the NodeSDK's spanLimits",
    );
}
