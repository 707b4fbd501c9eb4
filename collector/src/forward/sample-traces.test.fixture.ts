import { encodeResource, encodeScope, encodeTraces, type OtlpSpan, plainSpan, WireWriter } from "@reenact/envelope";

export const spanId = (n: number) => n.toString(16).padStart(16, "0");

/** An ExportTraceServiceRequest with one span. */
export function sampleTraces(n: number, change: Partial<OtlpSpan> = {}): Uint8Array {
  const span = plainSpan({
    traceId: "0123456789abcdef0123456789abcdef",
    spanId: spanId(n),
    name: `span ${n}`,
    startUnixNano: 1_763_800_000_000_000_000n,
    endUnixNano: 1_763_800_001_000_000_000n,
    attributes: { "reenact.run.id": "0123456789abcdef0123456789abcdef", "input.value": `question ${n}` },
    status: { code: 1, message: "" },
    ...change,
  });
  return encodeTraces(span, {
    resource: encodeResource({ "service.name": "desk" }),
    resourceSchemaUrl: "",
    scope: encodeScope("sample"),
    scopeSchemaUrl: "",
  });
}

/** One span, whose event is no message. */
export function unreadableTraces(n: number): Uint8Array {
  const span = new WireWriter()
    .bytes(1, Buffer.alloc(16, 1))
    .bytes(2, Buffer.from(spanId(n), "hex"))
    .bytes(11, Uint8Array.of(0x0f));
  return new WireWriter().message(1, new WireWriter().message(2, new WireWriter().message(2, span))).finish();
}
