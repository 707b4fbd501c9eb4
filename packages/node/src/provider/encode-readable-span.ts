import type { HrTime } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { encodeResource, encodeScope, encodeTraces, type OtlpSpan } from "@reenact/envelope";

const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** An ended span → one OTLP TracesData message, with the meaning that the SDK's own serializer gives it. */
export function encodeReadableSpan(span: ReadableSpan): Uint8Array {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const otlp: OtlpSpan = {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? null,
    name: span.name,
    kind: span.kind + 1,
    startUnixNano: nanos(span.startTime),
    endUnixNano: nanos(span.endTime),
    attributes: span.attributes,
    droppedAttributesCount: span.droppedAttributesCount,
    events: span.events.map((e) => ({ name: e.name, timeUnixNano: nanos(e.time), attributes: e.attributes ?? {} })),
    links: span.links.map((l) => ({
      traceId: l.context.traceId,
      spanId: l.context.spanId,
      attributes: l.attributes ?? {},
    })),
    status: { code: span.status.code, message: span.status.message ?? "" },
    traceState: traceState?.serialize() ?? "",
    flags: (traceFlags & 0xff) | HAS_IS_REMOTE | (span.parentSpanContext?.isRemote === true ? IS_REMOTE : 0),
  };
  const scope = span.instrumentationScope;
  return encodeTraces(otlp, {
    resource: encodeResource(span.resource.attributes),
    resourceSchemaUrl: span.resource.schemaUrl ?? "",
    scope: encodeScope(scope.name, scope.version ?? ""),
    scopeSchemaUrl: scope.schemaUrl ?? "",
  });
}

function nanos([seconds, rest]: HrTime): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(rest);
}
