import { createScrubber, StreamDigest, type TextFacts } from "@reenact/redaction";
import { expect, test } from "vitest";
import { isSameIn } from "./output.ts";
import { withoutPositions } from "./stack-frames.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 3) });

function factsOf(text: string): TextFacts {
  const digest = new StreamDigest(scrubber);
  digest.write(text);
  return digest.end();
}

const lines = {
  recorded: (line: string) => withoutPositions(line, "/app"),
  now: (line: string) => withoutPositions(line, "/home/a"),
};
const isSame = (recorded: string, now: string): boolean => isSameIn(factsOf(recorded), factsOf(now), (t) => t, lines);

const STACK = "Error: no seat\n    at book (file:///app/agent.mjs:12:5)\n";
const MOVED = "Error: no seat\n    at book (file:///home/a/agent.mjs:14:5)\n";
const rows = (many: number, text = "row"): string => `${text}\n`.repeat(many);

test("positions and folders of frames alone are no difference", () => {
  expect(isSame(STACK, MOVED)).toBe(true);
  expect(isSame(STACK + rows(3000), MOVED + rows(3000))).toBe(true);
});

test.each([
  ["another message", STACK, MOVED.replace("seat", "room")],
  ["another function", STACK, MOVED.replace("book", "hold")],
  ["no last line end", STACK, MOVED.trimEnd()],
  ["no last line end alone", "done\n", "done"],
  ["a line that is known by its digest", STACK + rows(5000), MOVED + rows(4000) + "other\n" + rows(999)],
  ["a line behind the digests", STACK + rows(9000), MOVED + rows(8999) + "odd\n"],
  [
    "a redacted value behind the kept lines",
    `${STACK}${rows(5000)}mail alice@example.com\n`,
    `${MOVED}${rows(5000)}mail peter@example.com\n`,
  ],
])("%s is one", (_, recorded, now) => {
  expect(isSame(recorded, now)).toBe(false);
});

test("positions that stand in no frame stay", () => {
  expect(withoutPositions("lint: src/a.ts:10:5 unused", "/app")).toBe("lint: src/a.ts:10:5 unused");
});
