import { expect, test } from "vitest";
import type { Tape } from "./tape.ts";
import { otherVariables, worldOf } from "./world.ts";

const TOKEN = "SECRET_abcd_qwertyuiopasdfgh";
const world = (environment: Record<string, unknown>, own: NodeJS.ProcessEnv) =>
  worldOf({ root: { environment } } as unknown as Tape, own);

test("recorded values come back; what belongs to the machine stays", () => {
  const env = world({ MODEL: "gpt-5", GONE: null, PATH: "/recorded" }, { MODEL: "other", GONE: "x", PATH: "/mine" });
  expect(env).toMatchObject({ MODEL: "gpt-5", PATH: "/mine" });
  expect(env).not.toHaveProperty("GONE");
});

test("a secret is the caller's own, else its token, else a key that nobody takes; never empty", () => {
  const recorded = { OPENAI_API_KEY: TOKEN };
  expect(world(recorded, { OPENAI_API_KEY: "own" })["OPENAI_API_KEY"]).toBe("own");
  for (const own of [{}, { OPENAI_API_KEY: "" }]) expect(world(recorded, own)["OPENAI_API_KEY"]).toBe(TOKEN);
  for (const own of [{}, { OPENAI_API_KEY: "" }]) expect(world({}, own)["OPENAI_API_KEY"]).toMatch(/no-key/);
  expect(world({ OPENAI_API_KEY: "" }, {})["OPENAI_API_KEY"]).toBe("");
});

test("a variable that the caller keeps is his own; those that differ are named, but for the machine's and secrets", () => {
  const environment = { MODEL: "gpt-5", PROMPT: "a", SAME: "s", GONE: null, KEY: TOKEN, PATH: "/recorded", UNSET: "u" };
  const own = { MODEL: "gpt-4o", PROMPT: "b", SAME: "s", GONE: "x", KEY: "own", PATH: "/mine" };
  const tape = { root: { environment } } as unknown as Tape;
  expect(otherVariables(tape, own)).toEqual(["GONE", "MODEL", "PROMPT"]);
  const env = worldOf(tape, own, ["MODEL", "GONE", "UNSET"]);
  expect(env).toMatchObject({ MODEL: "gpt-4o", GONE: "x", PROMPT: "a", KEY: "own" });
  expect(env).not.toHaveProperty("UNSET");
});
