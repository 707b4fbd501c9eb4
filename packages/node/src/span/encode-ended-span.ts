import type { AttributeValue } from "@reenact/capture";
import type { EndedSpan } from "@reenact/capture/recorder";
import { encodeResource, encodeScope, encodeTraces } from "@reenact/envelope";

/** Resource and instrumentation scope of the spans of a process. */
export interface Origin {
  readonly resource: Readonly<Record<string, AttributeValue>>;
  readonly scope: { readonly name: string; readonly version?: string };
}

const INTERNAL = 1;
const CLIENT = 3;
const OK = 1;
const ERROR = 2;
const SAMPLED = 0x01;
const HAS_IS_REMOTE = 0x100;

/** One OTLP TracesData message with one redacted span, equal in meaning to what the OpenTelemetry SDK serializes. */
export function encodeEndedSpan(span: EndedSpan, { resource, scope }: Origin): Uint8Array {
  return encodeTraces(
    {
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId,
      name: span.name,
      kind: span.client ? CLIENT : INTERNAL,
      startUnixNano: nanos(span.started),
      endUnixNano: nanos(Math.max(span.started, span.ended)),
      attributes: Object.fromEntries(span.attributes),
      droppedAttributesCount: 0,
      events: span.events.map(({ name, time, attributes }) => ({ name, timeUnixNano: nanos(time), attributes })),
      links: span.link === null ? [] : [{ ...span.link, attributes: {} }],
      status: span.ok ? { code: OK, message: "" } : { code: ERROR, message: span.message },
      traceState: "",
      flags: SAMPLED | HAS_IS_REMOTE,
    },
    {
      resource: encodeResource(resource),
      resourceSchemaUrl: "",
      scope: encodeScope(scope.name, scope.version),
      scopeSchemaUrl: "",
    },
  );
}

/** Milliseconds since the epoch, with a fraction → nanoseconds. */
function nanos(ms: number): bigint {
  const seconds = Math.floor(ms / 1000);
  return BigInt(seconds) * 1_000_000_000n + BigInt(Math.round((ms - seconds * 1000) * 1e6));
}
