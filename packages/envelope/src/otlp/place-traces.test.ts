import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeResource, encodeScope } from "./resource.ts";
import { encodeSpan } from "./span.ts";
import { type JoinedTraces, joinTraces } from "./join-traces.ts";
import { placeTraces } from "./place-traces.ts";
import { type ScannedSpan, scanTraces } from "./scan-traces.ts";
import { streamTraces } from "./stream-traces.ts";
import type { RemoteSpans } from "./traces-layout.ts";

const origins = [
  { name: "a", url: "", scope: "x", scopeUrl: "" },
  { name: "a", url: "", scope: "y", scopeUrl: "https://schema.example/2" },
  { name: "b", url: "https://schema.example/1", scope: "x", scopeUrl: "" },
  { name: "", url: "", scope: "", scopeUrl: "" },
];

const arbitrary = fc.array(
  fc.record({
    origin: fc.nat(origins.length - 1),
    id: fc.integer({ min: 1, max: 40 }),
    start: fc.bigInt({ min: 0n, max: 6n }),
    text: fc.string({ maxLength: 300 }),
  }),
  { maxLength: 40 },
);

function scannedOf(each: { origin: number; id: number; start: bigint; text: string }): ScannedSpan {
  const { name, url, scope, scopeUrl } = origins[each.origin]!;
  const spanId = each.id.toString(16).padStart(16, "0");
  const traceId = "0".repeat(31) + "1";
  return {
    resource: encodeResource(name === "" ? {} : { "service.name": name }),
    resourceSchemaUrl: url,
    scope: encodeScope(scope),
    scopeSchemaUrl: scopeUrl,
    span: encodeSpan({
      traceId,
      spanId,
      parentSpanId: null,
      name: each.text,
      kind: 1,
      startUnixNano: each.start,
      endUnixNano: 9n,
      attributes: {},
      droppedAttributesCount: 0,
      events: [],
      links: [],
      traceState: "",
      flags: 0,
      status: {
        code: 0,
        message: "",
      },
    }),
    traceId,
    spanId,
    startUnixNano: each.start,
  };
}

const remoteOf = (spans: readonly ScannedSpan[]): RemoteSpans => ({
  origins: spans,
  origin: Uint32Array.from(spans.keys()),
  length: Uint32Array.from(spans, ({ span }) => span.length),
  start: BigUint64Array.from(spans, ({ startUnixNano }) => startUnixNano),
  id: BigUint64Array.from(spans, ({ spanId }) => BigInt(`0x${spanId}`)),
  read: (n, into) => into.set(spans[n]!.span),
});
const places = (of: Pick<JoinedTraces, "spans">) =>
  of.spans.map(({ offset, length, digest }) => ({ offset, length, digest }));

test("span by span it is the same message, also of spans that come twice or differ in their bytes only", async () => {
  await fc.assert(
    fc.asyncProperty(arbitrary, fc.boolean(), async (list, large) => {
      const long = large ? "x".repeat(2_000_000) : "";
      const spans = list.map((each, n) => scannedOf(n === 0 ? { ...each, text: each.text + long } : each));
      const pieces: Buffer[] = [];
      let raw = -1;
      const seen: string[] = [];
      const out = {
        begin: (bytes: number) => void (raw = bytes),
        // what was given may be written over afterwards
        write: async (piece: Uint8Array) => void pieces.push(Buffer.from(piece)),
      };
      const streamed = await streamTraces(remoteOf(spans), out, ({ spanId }) => void seen.push(spanId));
      const joined = joinTraces(spans);
      expect(Buffer.concat(pieces).equals(joined.bytes)).toBe(true);
      expect([raw, streamed.raw, streamed.content]).toEqual([joined.bytes.length, joined.bytes.length, joined.content]);
      expect(places(streamed)).toEqual(places(joined));
      expect(seen).toEqual(joined.spans.map(({ scanned }) => scanned.spanId));
    }),
    { numRuns: 100 },
  );
});

test("gives what joinTraces gives, or declines where ids and starts are equal", () => {
  fc.assert(
    fc.property(arbitrary, (list) => {
      const spans = list.map(scannedOf);
      const twice = new Set(spans.map(({ spanId, startUnixNano }) => `${spanId} ${startUnixNano}`)).size < spans.length;
      const placed = placeTraces(remoteOf(spans), (size) => new Uint8Array(size + 100).subarray(7));
      if (twice) {
        expect(placed).toBeNull();
        return;
      }
      const joined = joinTraces(spans);
      expect(placed?.content).toBe(joined.content);
      expect(Buffer.from(placed!.bytes)).toEqual(Buffer.from(joined.bytes));
      expect(places(placed!)).toEqual(places(joined));
      expect(scanTraces(placed!.bytes)).toHaveLength(spans.length);
    }),
    { numRuns: 200 },
  );
});
