import { VALUE_LINES_MIME } from "@reenact/envelope";
import { expect, test } from "vitest";
import { Tally } from "./scrub-exchange.ts";
import { scrubYields } from "./scrub-yields.ts";
import type { Scrubber } from "./scrubber.ts";

/** Finds digits in a row, four or more, over the ends of lines too; `cap`: longer texts are not read. */
function finding(cap = Infinity): Scrubber {
  return {
    policy: "",
    rules: "",
    kid: "",
    addKnown: () => {},
    scrub(text, hint) {
      if (text.length > cap) return { text: `UNSCANNED_${text.length}`, edits: [], counts: { UNSCANNED: 1 } };
      const pattern = hint?.mime === VALUE_LINES_MIME ? /\d+("\]\n\[")\d+|\d{4,}/g : /\d{4,}/g;
      const out = text.replace(pattern, (_, edge?: string | number) => `<>${typeof edge === "string" ? edge : ""}`);
      return { text: out, edits: [], counts: out === text ? {} : { CARD: 1 } };
    },
  };
}
const typed = (text: string): string => JSON.stringify([text]);
const scrubbed = (texts: string[], scrubber = finding(), tally = new Tally()): string[] =>
  scrubYields(texts, (text) => `alone ${scrubber.scrub(text).text}`, scrubber, tally);

test("yields are read together: a value that is cut between them is replaced where it began", () => {
  const tally = new Tally();
  expect(scrubbed([typed("it is 12"), typed("345 now"), "-1", typed("ok")], finding(), tally)).toEqual([
    typed("it is <>"),
    typed(" now"),
    "-1",
    typed("ok"),
  ]);
  expect(tally.places).toEqual([{ at: "/call/yields", rule: "CARD", type: "CARD", n: 1 }]);
});

test("what cannot be read together is read alone; so is one alone", () => {
  const three = [typed("a"), typed("1234"), typed("b")];
  expect(scrubbed(three, finding(12))).toEqual(three.map((text) => `alone ${text.replace("1234", "<>")}`));
  expect(scrubbed([typed("1234")])).toEqual([`alone ${typed("<>")}`]);
  expect(scrubbed([])).toEqual([]);
});

test("so much at once is divided", () => {
  const many = Array.from({ length: 6 }, () => typed("x".repeat(1_000_000)));
  expect(scrubbed(many)).toEqual([...many.slice(0, 5), `alone ${many[5]}`]);
});
