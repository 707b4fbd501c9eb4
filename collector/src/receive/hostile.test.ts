import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { otlpJson, scanTraces, WireWriter } from "@reenact/envelope";
import fc from "fast-check";
import { expect, test } from "vitest";
import { JOURNAL_START } from "../journal/journal.ts";
import { createMemoryJournal } from "../journal/memory-journal.test.fixture.ts";
import { noLog } from "../log.ts";
import { anyTraces, encodeTraces } from "./any-traces.test.fixture.ts";
import { BadBody, type BodyEncoding } from "./body-encoding.ts";
import { createIntake } from "./intake.ts";
import type { OtlpEncoding } from "./otlp-answer.ts";
import { otlpMessage } from "./otlp-schema.test.fixture.ts";
import { post, startReceiver } from "./receiver.test.fixture.ts";
import { unpackBody } from "./unpack-body.ts";

const level = process.env["TEST_SCALE"] ?? "small";
const inputs = level === "full" ? 1_000_000 : level === "ci" ? 20_000 : 2_000;
/** of each input that is made from the schema, so many are made from its bytes: that is a hundred times cheaper */
const DERIVED = 50;
/** of their bytes */
const MOST = 10_000;
const LIMIT = 100_000;
const HTTP: Readonly<Record<string, number>> = { accepted: 200, malformed: 400, tooLarge: 413 };
const request = otlpMessage("ExportTraceServiceRequest");

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
interface Made {
  readonly body: Uint8Array;
  /** it is a request, as protobuf */
  readonly isRequest?: boolean;
}
const of = (arbitrary: fc.Arbitrary<Uint8Array>) => arbitrary.map((body): Made => ({ body }));
const plain: fc.Arbitrary<Made> = fc.oneof(
  { arbitrary: valid.map((body) => ({ body, isRequest: true })), weight: 3 },
  { arbitrary: of(mutated), weight: 6 },
  { arbitrary: of(bytes), weight: 3 },
  { arbitrary: of(json), weight: 3 },
  { arbitrary: of(deep), weight: 1 },
  { arbitrary: of(deepJson), weight: 1 },
  { arbitrary: of(bomb), weight: 1 },
);
const hostile = fc.record({
  made: plain,
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

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39) ^ (state >>> 7);
    return (state >>> 0) % below;
  };
}

/** A copy with bytes changed, left out, doubled or cut off. */
function derived(body: Uint8Array, next: (below: number) => number): Uint8Array {
  if (body.length === 0) return body;
  const [from, to] = [next(body.length), next(body.length + 1)].toSorted((a, b) => a - b) as [number, number];
  const copy = Uint8Array.from(body);
  switch (next(5)) {
    case 0:
      return copy.subarray(0, to);
    case 1:
      return Buffer.concat([copy.subarray(0, from), copy.subarray(Math.min(to, from + 16))]);
    case 2:
      return Buffer.concat([copy.subarray(0, to), copy.subarray(from)]);
    default:
      for (let count = next(6); count >= 0; count--) copy[next(copy.length)] = next(256);
      return copy;
  }
}

const ENCODINGS = ["identity", "gzip", "zstd"] as const;
const HOW = ["as it says", "as it says", "as it says", "not", "cut", "changed"];

/** How it ends. Throws for an answer that is none, and for spans that are taken and cannot be read. */
async function taken(bytes: Uint8Array, type: OtlpEncoding, encoding: BodyEncoding): Promise<string> {
  if (bytes.length > LIMIT) return "tooLarge";
  const journal = createMemoryJournal();
  try {
    const unpacked = unpackBody({ bytes, type, encoding }, LIMIT);
    expect(unpacked.bytes.length).toBeLessThanOrEqual(LIMIT);
    const outcome = await createIntake(journal, noLog).take("t", [unpacked.bytes]);
    if (outcome.is !== "accepted") return outcome.status;
    if (outcome.spans === 0) return "accepted";
    for await (const entry of journal.read(JOURNAL_START)) {
      expect(scanTraces(entry.body)).toHaveLength(outcome.spans);
      break;
    }
    return "accepted";
  } catch (error) {
    if (!(error instanceof BadBody)) throw error;
    return error.status;
  }
}

/** What must be answered, where that is known from how the input was made; null: it is not. */
function rightAnswer({ body, isRequest }: Made, sent: Uint8Array, type: OtlpEncoding, packed: string): string | null {
  if (sent.length > LIMIT) return "tooLarge";
  const isWhole = packed === "as it says" || sent === body;
  if (packed === "as it says" && body.length > LIMIT) return "tooLarge";
  if (type !== "protobuf" || body.length > LIMIT) return null;
  if (packed === "cut" && sent !== body && sent.length > 0) return "malformed";
  if (!isWhole || packed === "not") return null;
  if (isRequest) return "accepted";
  return isReadable(body) ? null : "malformed";
}

/** Whether the library's decoder takes it: laxer than we are, but for values that lie deep. */
function isReadable(body: Uint8Array): boolean {
  try {
    request.decode(body);
    return true;
  } catch (error) {
    return /depth/.test((error as Error).message);
  }
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What is not garbage, bytes. A decompressor that has failed is let go of in a turn of its own, as each request has one. */
async function inUse(): Promise<number> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => void setImmediate(resolve));
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test(
  `${inputs} hostile inputs: no crash, the right answer, memory that stays where it is`,
  { timeout: 36_000_000 },
  async () => {
    const ends: Record<string, number> = {};
    let done = 0;
    /** the most memory that was in use, in the first half and in the second */
    const most = [0, 0];
    let residentBefore = 0;
    let known = 0;
    const receiver = await startReceiver({ bodyBytes: LIMIT });
    async function note(bytes: Uint8Array, type: OtlpEncoding, encoding: BodyEncoding, right: string | null) {
      // by then everything that grows once has grown
      if (done === Math.floor(inputs / 2)) residentBefore = process.memoryUsage.rss();
      const half = done < inputs / 2 ? 0 : 1;
      if (++done % 200 === 0) most[half] = Math.max(most[half]!, await inUse());
      const end = await taken(bytes, type, encoding);
      if (!Object.hasOwn(HTTP, end)) expect(end).toBe("an answer");
      if (right !== null) expect(end).toBe(right);
      if (right !== null) known++;
      ends[end] = (ends[end] ?? 0) + 1;
      return end;
    }
    try {
      // few of what is drawn unpack to more than the limit, and with some seeds none does
      await note(gzipSync(Buffer.alloc(LIMIT + 1), { level: 1 }), "protobuf", "gzip", "tooLarge");
      await fc.assert(
        fc.asyncProperty(hostile, async ({ made, type, encoding, packed, where }) => {
          const first = pack(made.body, encoding, packed, where);
          const end = await note(first, type, encoding, rightAnswer(made, first, type, packed));
          // the same over a connection
          const headers = { "content-type": `application/${type === "json" ? "json" : "x-protobuf"}` };
          const coded = encoding === "identity" ? headers : { ...headers, "content-encoding": encoding };
          const response = await post(receiver.url, first, coded);
          await response.arrayBuffer();
          expect(response.status).toBe(HTTP[end]);
          const next = numbers(where);
          for (let count = 1; count < DERIVED; count++) {
            const changed = { body: derived(made.body.subarray(0, MOST), next) };
            const [how, pick] = [ENCODINGS[next(3)]!, HOW[next(6)]!];
            const bytes = pack(changed.body, how, pick, next(2 ** 30));
            const as = next(8) === 0 ? "json" : type;
            await note(bytes, as, how, rightAnswer(changed, bytes, as, pick));
          }
        }),
        { numRuns: inputs / DERIVED },
      );
    } finally {
      await receiver.stop();
    }
    const grown = (most[1]! - most[0]!) / 2 ** 20;
    const resident = (process.memoryUsage.rss() - residentBefore) / 2 ** 20;
    process.stdout.write(
      `hostile inputs: ${done}, of ${known} the answer was known, ${done / DERIVED} came over HTTP, ${JSON.stringify(ends)}, memory in use at most ${(most[1]! / 2 ** 20).toFixed(0)} MiB, in the second half ${grown.toFixed(0)} more, resident ${resident.toFixed(0)} more\n`,
    );
    expect(Object.keys(ends).toSorted()).toEqual(["accepted", "malformed", "tooLarge"]);
    expect(grown).toBeLessThan(64);
    expect(resident).toBeLessThan(256);
  },
);
