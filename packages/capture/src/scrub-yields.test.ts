import fc from "fast-check";
import { expect, test } from "vitest";
import { Tally } from "./scrub-exchange.ts";
import { scrubYields } from "./scrub-yields.ts";
import type { Edit, Scrubber } from "./scrubber.ts";

/** Finds digits in a row, four or more. */
const scrubber: Scrubber = {
  policy: "",
  rules: "",
  kid: "",
  addKnown: () => {},
  scrub(text) {
    const edits: Edit[] = [...text.matchAll(/\d{4,}/g)].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      with: "<>",
    }));
    return { text: text.replaceAll(/\d{4,}/g, "<>"), edits, counts: edits.length === 0 ? {} : { CARD: edits.length } };
  },
};
const typed = (text: string): string => JSON.stringify([text]);
const alone = (text: string): string => scrubber.scrub(text).text;
const scrubbed = (...texts: string[]): string[] => scrubYields(texts, alone, scrubber, new Tally());

test("a value that is cut between yielded texts is replaced where it began", () => {
  expect(scrubbed(typed("it is 12"), typed("3"), typed("45 now"), typed("ok"))).toEqual([
    typed("it is <>"),
    typed(""),
    typed(" now"),
    typed("ok"),
  ]);
});

test("other values part the texts, and are redacted by themselves", () => {
  expect(scrubbed(typed("it is 12"), '[{"a":1},"x"]', typed("34"), '[{"a":1},"5678"]')).toEqual([
    typed("it is 12"),
    '[{"a":1},"x"]',
    typed("34"),
    '[{"a":1},"<>"]',
  ]);
});

test("however a text is cut, its pieces together are the redacted text", () => {
  const text = fc.string({ unit: fc.constantFrom("1", "2", "3", "4", " ", "a"), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 8 }), (whole, cuts) => {
      const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
      const pieces = at.slice(1).map((end, n) => typed(whole.slice(at[n], end)));
      const out = scrubbed(...pieces).map((each) => (JSON.parse(each) as [string])[0]);
      expect(out.join("")).toBe(scrubber.scrub(whole).text);
    }),
  );
});
