import { expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";
import { TokenAlignment } from "./token-alignment.ts";

const then = createScrubber({ key: Buffer.alloc(32, 1) });
const now = createScrubber({ key: Buffer.alloc(32, 2) });
const was = (text: string): string => then.scrub(text).text;
const is = (text: string): string => now.scrub(text).text;
const ALICE = "to alice@example.com, alice@example.com";

test("equal values under two keys align, over the whole run", () => {
  const run = new TokenAlignment();
  expect(run.align(was(ALICE), is(ALICE))).toEqual({ ok: true });
  expect(run.align(was("bob@example.com"), is("bob@example.com"))).toEqual({ ok: true });
  expect(run.align(was(ALICE), is(ALICE))).toEqual({ ok: true });
});

test("alice for bob is a change, in either direction, at once or later", () => {
  expect(new TokenAlignment().align(was("a@x.org b@x.org"), is("a@x.org a@x.org")).ok).toBe(false);
  expect(new TokenAlignment().align(was("a@x.org a@x.org"), is("a@x.org b@x.org")).ok).toBe(false);
  const run = new TokenAlignment();
  run.align(was("a@x.org"), is("a@x.org"));
  expect(run.align(was("a@x.org"), is("b@x.org"))).toEqual({ ok: false, recorded: was("a@x.org"), now: is("b@x.org") });
  expect(run.align(was("b@x.org"), is("a@x.org")).ok).toBe(false);
  // what failed has taught nothing
  expect(run.align(was("b@x.org"), is("b@x.org")).ok).toBe(true);
});

test("a recorded token that comes back by itself stands for the same value", () => {
  const run = new TokenAlignment();
  const mixed = `${is("a@x.org")} ${was("a@x.org")}`;
  expect(run.align(was("a@x.org a@x.org"), mixed)).toEqual({ ok: true });
  expect(run.translate(mixed)).toBe(was("a@x.org a@x.org"));
  expect(run.align(was("b@x.org"), was("a@x.org")).ok).toBe(false);
});

test("literal parts and types must be equal", () => {
  expect(new TokenAlignment().align("x 1", "x 2")).toEqual({ ok: false, recorded: "x 1", now: "x 2" });
  expect(new TokenAlignment().align(was("a@x.org 1"), is("a@x.org 2")).ok).toBe(false);
  expect(new TokenAlignment().align(was("a@x.org"), is("4111111111111111")).ok).toBe(false);
  expect(new TokenAlignment().align(was("a@x.org"), "nothing").ok).toBe(false);
  expect(new TokenAlignment().align("UNSCANNED_5", "UNSCANNED_6").ok).toBe(false);
});

test("tokens inside base64 are aligned with the others, and other base64 must be equal", () => {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const body = (inside: string, beside: string): string => JSON.stringify({ file: base64(inside), to: beside });
  const scrub = (scrubber: typeof then, text: string): string =>
    scrubber.scrub(text, { mime: "application/json" }).text;
  const same = body("mail alice.plant@example.com", "alice.plant@example.com");
  const alignment = new TokenAlignment();
  expect(alignment.align(scrub(then, same), scrub(now, same))).toEqual({ ok: true });
  const other = body("mail bob.plant@example.com", "alice.plant@example.com");
  expect(alignment.align(scrub(then, same), scrub(now, other)).ok).toBe(false);
  const words = body("mail! alice.plant@example.com", "alice.plant@example.com");
  expect(alignment.align(scrub(then, same), scrub(now, words)).ok).toBe(false);
});
