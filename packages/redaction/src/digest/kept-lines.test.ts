import { expect, test } from "vitest";
import { KeptLines, lineDigest } from "./kept-lines.ts";

test("whole lines are kept as long as they fit, the others by their digests", () => {
  const kept = new KeptLines(10);
  for (const piece of ["ab", "c\ndef\n", "too long for it\n", "gh"]) kept.add(piece);
  expect(kept.end()).toEqual({ lines: ["abc", "def"], more: lineDigest("too long for it") + lineDigest("gh") });
});

test("tokens count by their type in a line's digest", () => {
  const [alice, bob] = ["EMAIL_abcd_aaaaaaaaaaaaaaaa", "EMAIL_efgh_bbbbbbbbbbbbbbbb"];
  expect(lineDigest(`to ${alice}`)).toBe(lineDigest(`to ${bob}`));
  expect(lineDigest(`to ${alice}`)).not.toBe(lineDigest(`from ${bob}`));
});

test("what is kept is bounded for many lines and for a line without an end", () => {
  const many = new KeptLines();
  for (let i = 0; i < 100_000; i++) many.add(`${i}\n`);
  expect(JSON.stringify(many.end()).length).toBeLessThan(64 * 1024);
  const long = new KeptLines();
  for (let i = 0; i < 1000; i++) long.add("x".repeat(10_000));
  expect(JSON.stringify(long.end()).length).toBeLessThan(64 * 1024);
});
