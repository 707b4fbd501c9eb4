import fc from "fast-check";
import { otlpMessage } from "./otlp-schema.test.fixture.ts";

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).filter((all) => all.some((byte) => byte !== 0));
const uint = fc.nat(2 ** 31 - 1);
const time = fc.nat();

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: "value" },
    fc.record({ stringValue: fc.string({ unit: "grapheme" }) }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: fc.integer() }),
    fc.record({ doubleValue: fc.double() }),
    fc.record({ bytesValue: fc.uint8Array({ maxLength: 5 }) }),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie("value"), { maxLength: 3 }) }) }),
    fc.record({
      kvlistValue: fc.record({
        values: fc.array(fc.record({ key: fc.string(), value: tie("value") }), { maxLength: 3 }),
      }),
    }),
  ),
}));
const attributes = fc.array(fc.record({ key: fc.string(), value }), { maxLength: 4 });

const span = fc.record(
  {
    traceId: bytes(16),
    spanId: bytes(8),
    traceState: fc.string(),
    parentSpanId: fc.oneof(bytes(8), fc.constant(new Uint8Array())),
    name: fc.string(),
    kind: fc.nat(5),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
    droppedAttributesCount: uint,
    events: fc.array(fc.record({ timeUnixNano: time, name: fc.string(), attributes }), { maxLength: 2 }),
    links: fc.array(fc.record({ traceId: bytes(16), spanId: bytes(8), attributes, flags: uint }), { maxLength: 2 }),
    status: fc.record({ message: fc.string(), code: fc.nat(2) }),
    flags: uint,
  },
  { requiredKeys: ["traceId", "spanId"] },
);

export interface AnyTraces {
  resourceSpans: { scopeSpans: { spans: { traceId: Uint8Array; spanId: Uint8Array }[] }[] }[];
}

/** Any request that OTLP allows. */
export const anyTraces = fc.record({
  resourceSpans: fc.array(
    fc.record({
      resource: fc.record({ attributes }),
      scopeSpans: fc.array(
        fc.record({
          scope: fc.record({ name: fc.string(), version: fc.string(), attributes }),
          spans: fc.array(span, { maxLength: 4 }),
          schemaUrl: fc.string(),
        }),
        { maxLength: 3 },
      ),
      schemaUrl: fc.string(),
    }),
    { maxLength: 3 },
  ),
}) as fc.Arbitrary<AnyTraces>;

export function encodeTraces(traces: AnyTraces): Uint8Array {
  const type = otlpMessage("ExportTraceServiceRequest");
  return Uint8Array.from(type.encode(type.create(traces as object)).finish());
}

export const spansOf = (traces: AnyTraces) =>
  traces.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
