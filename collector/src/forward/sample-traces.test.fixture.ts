import { encodeResource, encodeScope, encodeTraces, type OtlpSpan } from "@reenact/envelope";

export const spanId = (n: number) => n.toString(16).padStart(16, "0");

/** An ExportTraceServiceRequest with one span. */
export function sampleTraces(n: number, change: Partial<OtlpSpan> = {}): Uint8Array {
  const span: OtlpSpan = {
    traceId: "0123456789abcdef0123456789abcdef",
    spanId: spanId(n),
    parentSpanId: null,
    name: `span ${n}`,
    kind: 1,
    startUnixNano: 1_763_800_000_000_000_000n,
    endUnixNano: 1_763_800_001_000_000_000n,
    attributes: { "reenact.run.id": "0123456789abcdef0123456789abcdef", "input.value": `question ${n}` },
    droppedAttributesCount: 0,
    events: [],
    links: [],
    status: { code: 1, message: "" },
    traceState: "",
    flags: 0,
    ...change,
  };
  return encodeTraces(span, {
    resource: encodeResource({ "service.name": "desk" }),
    resourceSchemaUrl: "",
    scope: encodeScope("sample"),
    scopeSchemaUrl: "",
  });
}
