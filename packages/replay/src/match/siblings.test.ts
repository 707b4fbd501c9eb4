import { type StepRecord } from "@reenact/envelope";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Asked } from "./asked.ts";
import { Siblings } from "./siblings.ts";
import type { RecordedStep } from "../tape/tape.ts";

const digests = (content: number): Asked["digests"] => ({
  body: `b${content}`,
  model: "m",
  params: "p",
  messages: [`c${content}`],
});
const asked = (content: number): Asked => ({
  method: "POST",
  url: "",
  headers: [],
  text: null,
  digests: digests(content),
  redacted: false,
});

function recordedStep(index: number, content: number, attempt = 0): RecordedStep {
  const record = { n: index, attempt, digests: digests(content) } as unknown as StepRecord;
  return { index, record, kind: "LLM", name: "chat", input: null, output: null, spanId: "" };
}

function ledgerOf(): { met(index: number): boolean; meet(step: RecordedStep | null): number | null } {
  const met = new Set<number>();
  return {
    met: (index) => met.has(index),
    meet(step) {
      if (step === null) return null;
      met.add(step.index);
      return step.index;
    },
  };
}

test("the same calls in the same order are served one to one, also where all are equal", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }), (contents) => {
      const ledger = ledgerOf();
      const siblings = new Siblings(
        contents.map((c, n) => recordedStep(n, c)),
        ledger,
      );
      expect(contents.map((c, n) => ledger.meet(siblings.find({ n, attempt: 0 }, asked(c))))).toEqual(
        contents.map((_, n) => n),
      );
    }),
  );
});

test("without one call the others keep their own record where contents differ", () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 2, max: 20 })
        .chain((size) => fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size - 1 }))),
      ([size, dropped]) => {
        const ledger = ledgerOf();
        const siblings = new Siblings(
          Array.from({ length: size }, (_, n) => recordedStep(n, n)),
          ledger,
        );
        const left = Array.from({ length: size }, (_, n) => n).filter((n) => n !== dropped);
        expect(left.map((content, n) => ledger.meet(siblings.find({ n, attempt: 0 }, asked(content))))).toEqual(left);
      },
    ),
  );
});

test("no record is served twice, and an edited call gets that of its slot", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 16 }),
      (recorded, now) => {
        const ledger = ledgerOf();
        const siblings = new Siblings(
          recorded.map((c, n) => recordedStep(n, c)),
          ledger,
        );
        const served = now
          .map((c, n) => ledger.meet(siblings.find({ n, attempt: 0 }, asked(c))))
          .filter((index) => index !== null);
        expect(new Set(served).size).toBe(served.length);
      },
    ),
  );
  const siblings = new Siblings([recordedStep(0, 0), recordedStep(1, 1)], ledgerOf());
  expect(siblings.find({ n: 1, attempt: 0 }, asked(9))?.index).toBe(1);
  expect(siblings.find({ n: 2, attempt: 0 }, asked(9))).toBeNull();
  expect(siblings.find({ n: 0, attempt: 1 }, asked(0))).toBeNull();
});

test("a call whose body is still being read gets its slot", () => {
  const siblings = new Siblings([recordedStep(0, 0), recordedStep(1, 1)], ledgerOf());
  expect(siblings.find({ n: 1, attempt: 0 }, null)?.index).toBe(1);
});
