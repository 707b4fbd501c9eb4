import { expect, test, vi } from "vitest";
import { within } from "../run/context.ts";
import { flag, identify } from "./flag.ts";
import { originals } from "../patch/originals.ts";
import { Run } from "../run/run.ts";

test("what an agent says in a shape that nobody meant never throws into it", () => {
  vi.spyOn(originals, "writeSync").mockReturnValue(0);
  const run = new Run({ trigger: "function", name: "x", sequence: 0 });
  const odd = [Object.create(null), { toString: () => Object.create(null) }, Symbol("s"), 7, null, undefined, "words"];
  within(run.frame, () => {
    for (const value of odd) {
      expect(() => flag(value as string)).not.toThrow();
      expect(() => identify({ user: value as string, session: value as string })).not.toThrow();
      expect(() => identify({ tags: [value as string] })).not.toThrow();
      expect(() => identify({ tags: value as string[] })).not.toThrow();
    }
    expect(() => identify(undefined as never)).not.toThrow();
    flag("last");
  });
  expect(run.metadata.flags.at(-1)).toBe("last");
  expect(run.metadata).toMatchObject({ user: "words", session: "words" });
});
