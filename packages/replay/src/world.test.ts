import { expect, test } from "vitest";
import type { Tape } from "./tape.ts";
import { worldOf } from "./world.ts";

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
