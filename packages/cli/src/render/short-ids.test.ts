import { expect, test } from "vitest";
import { shortIds } from "./short-ids.ts";

const TIMED = ["6566a1b20", "6566a1b21", "6566a1c20"].map((start) => start.padEnd(32, "7"));

test("ids of runs are as long as it takes to tell them apart, and six digits where that does", () => {
  const lone = "c01d".padEnd(32, "5");
  const short = shortIds([...TIMED, lone]);
  expect(TIMED.map(short)).toEqual(["6566a1b20", "6566a1b21", "6566a1c"]);
  expect(short(lone)).toBe("c01d55");
});

test("each short id begins one of the ids alone", () => {
  const ids = Array.from({ length: 300 }, (_, n) => (n * 7).toString(16).padStart(32, "0"));
  const short = shortIds(ids);
  for (const id of ids) expect(ids.filter((other) => other.startsWith(short(id)))).toEqual([id]);
});

test("an id that comes twice is one, and one that is not among them has six digits", () => {
  const [id = ""] = TIMED;
  expect(shortIds([id, id])(id)).toBe("6566a1");
  expect(shortIds([id], 12)(id)).toBe("6566a1b20777");
  expect(shortIds([])(id)).toBe("6566a1");
});
