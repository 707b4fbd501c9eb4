import { gzipSync, zstdCompressSync } from "node:zlib";
import { otlpJson, scanTraces, WireWriter } from "@reenact/envelope";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryJournal } from "../journal/memory-journal.test.fixture.ts";
import { noLog } from "../log.ts";
import { anyTraces, encodeTraces } from "./any-traces.test.fixture.ts";
import { BadBody, type BodyEncoding } from "./body-encoding.ts";
import { createIntake } from "./intake.ts";
import type { OtlpEncoding } from "./otlp-answer.ts";
import { unpackBody } from "./unpack-body.ts";

const level = process.env["TEST_SCALE"] ?? "small";
const numRuns = level === "full" ? 1_000_000 : level === "ci" ? 5000 : 500;
const LIMIT = 100_000;

const bytes = fc.uint8Array({ maxLength: 300 });
/** A list in a list in … , as protobuf of some kind and as JSON. */
const deep = fc.nat(3000).map((levels) => {
  let value = new WireWriter().string(1, "x").finish();
  for (let level = 0; level < levels && value.length < 60_000; level++) {
    value = new WireWriter().bytes(5, new WireWriter().bytes(1, value).finish()).finish();
  }
  const span = new WireWriter().bytes(1, Buffer.alloc(16, 1)).bytes(2, Buffer.alloc(8, 1));
  span.message(9, new WireWriter().bytes(2, value));
  return new WireWriter().message(1, new WireWriter().message(2, new WireWriter().message(2, span))).finish();
});
const deepJson = fc.nat(20_000).map((levels) => Buffer.from('{"resourceSpans":['.repeat(levels)));
const valid = anyTraces.map(encodeTraces);
const mutated = fc
  .tuple(valid, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }))
  .map(([body, changes]) => {
    for (const [at, byte] of changes) if (body.length > 0) body[at % body.length] = byte;
    return body;
  });
const bomb = fc.integer({ min: 1, max: 3_000_000 }).map((length) => Buffer.alloc(length));
const json = fc.oneof(
  valid.map((body) => Buffer.from(JSON.stringify(otlpJson(body)))),
  mutated.map((body) => {
    try {
      return Buffer.from(JSON.stringify(otlpJson(body)));
    } catch {
      return Buffer.from("[]");
    }
  }),
  fc.json().map((text) => Buffer.from(text)),
  fc.jsonValue().map((spans) => Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))),
);
const plain: fc.Arbitrary<Uint8Array> = fc.oneof(
  { arbitrary: valid, weight: 3 },
  { arbitrary: mutated, weight: 6 },
  { arbitrary: bytes, weight: 3 },
  { arbitrary: json, weight: 3 },
  { arbitrary: deep, weight: 1 },
  { arbitrary: deepJson, weight: 1 },
  { arbitrary: bomb, weight: 1 },
);
const hostile = fc.record({
  body: plain,
  type: fc.constantFrom<OtlpEncoding>("protobuf", "json"),
  encoding: fc.constantFrom<BodyEncoding>("identity", "gzip", "zstd"),
  /** what it says and what it is: differ now and then */
  packed: fc.constantFrom("as it says", "as it says", "as it says", "not", "cut", "changed"),
  where: fc.nat(),
});

function pack(body: Uint8Array, encoding: BodyEncoding, how: string, where: number): Uint8Array {
  if (encoding === "identity" || how === "not") return body;
  const whole = encoding === "gzip" ? gzipSync(body, { level: 1 }) : zstdCompressSync(body);
  if (how === "cut") return whole.subarray(0, where % whole.length);
  if (how === "changed") whole[where % whole.length]! ^= 1 + (where % 255);
  return whole;
}

test(
  `${numRuns} hostile inputs: no crash, the right answer, memory that stays where it is`,
  { timeout: 36_000_000 },
  async () => {
    const ends: Record<string, number> = {};
    let done = 0;
    let before = 0;
    await fc.assert(
      fc.asyncProperty(hostile, async ({ body, type, encoding, packed, where }) => {
        // by then everything that grows once has grown
        if (++done === Math.floor(numRuns / 2)) before = process.memoryUsage.rss();
        const journal = createMemoryJournal();
        const bytes = pack(body, encoding, packed, where);
        let end: string;
        if (bytes.length > LIMIT) {
          end = "tooLarge";
        } else {
          try {
            const unpacked = unpackBody({ bytes, type, encoding }, LIMIT);
            expect(unpacked.bytes.length).toBeLessThanOrEqual(LIMIT);
            const outcome = await createIntake(journal, noLog).take("t", [unpacked.bytes]);
            end = outcome.is === "accepted" ? "accepted" : outcome.status;
            if (outcome.is === "accepted" && outcome.spans > 0) {
              for await (const entry of journal.read({ segment: 0, offset: 0 })) {
                expect(scanTraces(entry.body)).toHaveLength(outcome.spans);
                break;
              }
            }
          } catch (error) {
            if (!(error instanceof BadBody)) throw error;
            end = error.status;
          }
        }
        expect(["accepted", "malformed", "tooLarge"]).toContain(end);
        ends[end] = (ends[end] ?? 0) + 1;
      }),
      { numRuns },
    );
    const grown = (process.memoryUsage.rss() - before) / 2 ** 20;
    process.stdout.write(
      `hostile inputs: ${JSON.stringify(ends)}, resident memory in the second half grew by ${grown.toFixed(0)} MiB\n`,
    );
    expect(Object.keys(ends).toSorted()).toEqual(["accepted", "malformed", "tooLarge"]);
    expect(grown).toBeLessThan(256);
  },
);
