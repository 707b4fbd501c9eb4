import type { StepDraft } from "@reenact/capture/recorder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { draftParts, readDraft } from "./draft-frame.ts";

const text = fc.option(
  fc.string({ unit: "binary" }).map((s) => s.toWellFormed()),
  { nil: null },
);
const bytes = fc.option(
  fc.uint8Array().map((b) => Buffer.from(b)),
  { nil: null },
);
const drafts: fc.Arbitrary<StepDraft> = fc.record({
  run: fc.constant("5a".repeat(16)),
  traceId: fc.constant("5a".repeat(16)),
  spanId: fc.constant("01".repeat(8)),
  parentSpanId: fc.constant("ff".repeat(8)),
  kind: fc.constantFrom("LLM", "TOOL", "HTTP"),
  name: fc.string(),
  recognised: fc.boolean(),
  started: fc.double({ min: 0, max: 1e15, noNaN: true }),
  ended: fc.double({ min: 0, max: 1e15, noNaN: true }),
  link: fc.constant(null),
  record: fc.record({ step: fc.nat(), op: fc.string(), path: fc.string() }),
  error: fc.constant(null),
  request: fc.option(fc.record({ text, bytes, mime: fc.string(), known: fc.boolean() }), { nil: null }),
  answer: fc.option(
    fc.record({
      text,
      bytes,
      inside: text,
      mime: fc.string(),
      cuts: fc.constantFrom(null, [[1.5, 2, 3] as [number, number, number]]),
      length: fc.nat(),
      body: fc.boolean(),
    }),
    { nil: null },
  ),
  input: text,
  output: text,
}) as fc.Arbitrary<StepDraft>;

const joined = (parts: (string | Uint8Array)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const plain = (draft: StepDraft) => JSON.parse(JSON.stringify(draft)) as unknown;

test("a draft comes back from its frame as it was, with its request from the frame before where that has it", () => {
  fc.assert(
    fc.property(drafts, (draft) => {
      const whole = joined(draftParts(draft, false));
      expect(plain(readDraft(whole, () => undefined))).toEqual(plain(draft));
      if (draft.request === null) return;
      const short = joined(draftParts(draft, true));
      expect(short.length).toBeLessThanOrEqual(whole.length + 20);
      expect(plain(readDraft(short, () => draft))).toEqual(plain(draft));
      expect(() => readDraft(short, () => undefined)).toThrow("not there");
    }),
    { numRuns: 300 },
  );
});

test("a payload that was cut, or holds anything else, is an error and never a shorter text", () => {
  fc.assert(
    fc.property(drafts, fc.double({ min: 0, max: 0.999, noNaN: true }), (draft, part) => {
      const whole = joined(draftParts(draft, false));
      const cut = whole.subarray(0, Math.floor(whole.length * part));
      expect(() => readDraft(cut, () => undefined)).toThrow();
    }),
    { numRuns: 300 },
  );
});
