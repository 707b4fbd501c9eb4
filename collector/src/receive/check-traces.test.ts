import { decodeResource, decodeScope, decodeSpan, scanTraces, WireWriter } from "@reenact/envelope";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyTraces, encodeTraces, spansOf } from "./any-traces.test.fixture.ts";
import { checkTraces, MalformedTraces, MAX_VALUE_DEPTH } from "./check-traces.ts";
import { dropSpans } from "./drop-spans.ts";
import { otlpMessage } from "./otlp-schema.test.fixture.ts";

const numRuns = process.env["TEST_SCALE"] === "full" ? 100_000 : 300;
const request = otlpMessage("ExportTraceServiceRequest");
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** What lies behind the receiver must be able to read what it lets in. */
function readAll(bytes: Uint8Array): string[] {
  return scanTraces(bytes).map((each) => {
    decodeSpan(each.span);
    decodeResource(each.resource);
    decodeScope(each.scope);
    return each.spanId;
  });
}

test("whatever the library encodes is taken, every span counted", () => {
  fc.assert(
    fc.property(anyTraces, (traces) => {
      const bytes = encodeTraces(traces);
      const spans = spansOf(traces);
      expect(checkTraces(bytes)).toEqual({ spans: spans.length, bad: [] });
      expect(readAll(bytes)).toEqual(spans.map(({ spanId }) => hex(spanId)));
    }),
    { numRuns },
  );
});

test("spans with bad ids are the only ones refused, and dropped without touching another byte", () => {
  const fault = fc.constantFrom("traceId", "spanId", "parentSpanId");
  const wrong = fc.constantFrom(new Uint8Array(0), new Uint8Array(3).fill(1), new Uint8Array(16), new Uint8Array(8));
  fc.assert(
    fc.property(anyTraces, fc.infiniteStream(fc.tuple(fc.boolean(), fault, wrong)), (traces, faults) => {
      const good: string[] = [];
      let bad = 0;
      for (const span of spansOf(traces)) {
        const [spoil, field, value] = faults.next().value!;
        const isFine = field === "parentSpanId" && (value.length === 0 || value.length === 8);
        if (spoil) (span as Record<string, unknown>)[field] = value;
        if (spoil && !isFine) bad++;
        else good.push(hex(span.spanId));
      }
      const bytes = encodeTraces(traces);
      const checked = checkTraces(bytes);
      expect([checked.spans, checked.bad.length]).toEqual([good.length, bad]);
      const kept = dropSpans(bytes, checked.bad);
      expect(checkTraces(kept)).toEqual({ spans: good.length, bad: [] });
      expect(readAll(kept)).toEqual(good);
      const library = request.toObject(request.decode(kept), { arrays: true }) as typeof traces;
      expect(spansOf(library).map(({ spanId }) => hex(spanId))).toEqual(good);
      if (bad === 0) expect(hex(kept)).toBe(hex(bytes));
    }),
    { numRuns },
  );
});

test("changed bytes: refused by name, or everything behind can read them", () => {
  const change = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
  let taken = 0;
  fc.assert(
    fc.property(anyTraces, change, fc.option(fc.nat()), (traces, changes, cut) => {
      let bytes = encodeTraces(traces);
      if (bytes.length === 0) return;
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      if (cut !== null) bytes = bytes.subarray(0, cut % bytes.length);
      try {
        const { spans, bad } = checkTraces(bytes);
        const kept = bad.length > 0 ? dropSpans(bytes, bad) : bytes;
        expect(readAll(kept)).toHaveLength(spans);
        request.decode(kept);
        taken++;
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedTraces);
      }
    }),
    // a counterexample of this size takes minutes to shrink
    { numRuns, endOnFailure: true },
  );
  expect(taken).toBeGreaterThan(0);
});

test("random bytes and length bombs end at once", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        checkTraces(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedTraces);
      }
    }),
    { numRuns: numRuns * 3 },
  );
  for (const bomb of ["0affffffff0f", "0affffffffffffffffff01", "0a80808080808080808080", "0b", "00", "0a"]) {
    expect(() => checkTraces(Buffer.from(bomb, "hex"))).toThrow(MalformedTraces);
  }
});

describe("nesting", () => {
  /** A span with one attribute whose value is a list of a list … */
  function nested(levels: number): Uint8Array {
    let value = new WireWriter().string(1, "deep").finish();
    for (let level = 1; level < levels; level++) {
      value = new WireWriter().message(5, new WireWriter().bytes(1, value)).finish();
    }
    const span = new WireWriter().bytes(1, Buffer.alloc(16, 1)).bytes(2, Buffer.alloc(8, 2));
    span.message(9, new WireWriter().string(1, "k").bytes(2, value));
    return new WireWriter().message(1, new WireWriter().message(2, new WireWriter().message(2, span))).finish();
  }

  test("as deep as allowed is taken and can be read; deeper refuses the span, at any depth", () => {
    const deepest = nested(MAX_VALUE_DEPTH);
    expect(checkTraces(deepest)).toEqual({ spans: 1, bad: [] });
    expect(readAll(deepest)).toHaveLength(1);
    for (const levels of [MAX_VALUE_DEPTH + 1, 1000, 20_000]) {
      const { spans, bad } = checkTraces(nested(levels));
      expect([spans, bad.length]).toEqual([0, 1]);
      expect(bad[0]!.why).toContain("deeper");
    }
  });

  test("in a resource it refuses the request", () => {
    const withResource = new WireWriter().message(1, new WireWriter().message(1, deepResource()));
    expect(() => checkTraces(withResource.finish())).toThrow("nested too deep");
  });

  function deepResource(): WireWriter {
    let value = new WireWriter().string(1, "deep").finish();
    for (let level = 0; level < MAX_VALUE_DEPTH; level++) {
      value = new WireWriter().message(5, new WireWriter().bytes(1, value)).finish();
    }
    return new WireWriter().message(1, new WireWriter().string(1, "k").bytes(2, value));
  }
});
