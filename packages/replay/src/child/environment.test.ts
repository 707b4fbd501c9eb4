import { expect, test } from "vitest";
import type { Tape } from "../tape/tape.ts";
import {
  hiddenVariables,
  otherVariables,
  showVariables,
  shownEnvironment,
  recordedEnvironment,
} from "./environment.ts";

const TOKEN = "SECRET_abcd_qwertyuiopasdfgh";
const shown = (environment: Record<string, unknown>, own: NodeJS.ProcessEnv) =>
  recordedEnvironment({ root: { environment } } as unknown as Tape, own);

test("recorded values come back; what belongs to the machine stays", () => {
  const env = shown({ MODEL: "gpt-5", GONE: null, PATH: "/recorded" }, { MODEL: "other", GONE: "x", PATH: "/mine" });
  expect(env).toMatchObject({ MODEL: "gpt-5", PATH: "/mine" });
  expect(env).not.toHaveProperty("GONE");
});

test("what describes the program or its terminal comes back, though its name looks like the machine's", () => {
  const recorded = { NODE_ENV: "production", TERM: "dumb", COLORTERM: null, NODE_PATH: "/recorded" };
  const env = shown(recorded, { NODE_ENV: "test", TERM: "xterm", COLORTERM: "truecolor", NODE_PATH: "/mine" });
  expect(env).toMatchObject({ NODE_ENV: "production", TERM: "dumb", NODE_PATH: "/mine" });
  expect(env).not.toHaveProperty("COLORTERM");
});

test("a secret is the caller's own, else its token, else a key that nobody takes; never empty", () => {
  const recorded = { OPENAI_API_KEY: TOKEN };
  expect(shown(recorded, { OPENAI_API_KEY: "my-own-key" })["OPENAI_API_KEY"]).toBe("my-own-key");
  for (const own of [{}, { OPENAI_API_KEY: "" }, { OPENAI_API_KEY: "short" }])
    expect(shown(recorded, own)["OPENAI_API_KEY"]).toBe(TOKEN);
  for (const own of [{}, { OPENAI_API_KEY: "" }]) expect(shown({}, own)["OPENAI_API_KEY"]).toMatch(/no-key/);
  expect(shown({ OPENAI_API_KEY: "" }, {})["OPENAI_API_KEY"]).toBe("");
});

test("a request tells whose key it carries: one value for two recorded secrets is not kept, and made-up keys differ", () => {
  const other = TOKEN.replace("qwerty", "asdfgh");
  const recorded = { OPENAI_API_KEY: TOKEN, ANTHROPIC_API_KEY: other, AGAIN: TOKEN };
  const own = { OPENAI_API_KEY: "same-for-all", ANTHROPIC_API_KEY: "same-for-all", AGAIN: "kept-as-it-is" };
  expect(shown(recorded, own)).toMatchObject({ ...recorded, AGAIN: "kept-as-it-is" });
  const env = shown({}, {});
  expect(env["OPENAI_API_KEY"]).not.toBe(env["ANTHROPIC_API_KEY"]);
});

test("a key that the recorded program looked for and did not find is not set", () => {
  const env = shown({ GEMINI_API_KEY: null }, {});
  expect(env).not.toHaveProperty("GEMINI_API_KEY");
  expect(env["OPENAI_API_KEY"]).toMatch(/no-key/);
});

test("a variable that the caller keeps is his own; those that differ are named, but for the machine's and secrets", () => {
  const environment = { MODEL: "gpt-5", PROMPT: "a", SAME: "s", GONE: null, KEY: TOKEN, PATH: "/recorded", UNSET: "u" };
  const own = { MODEL: "gpt-4o", PROMPT: "b", SAME: "s", GONE: "x", KEY: "my-own-key", PATH: "/mine" };
  const tape = { root: { environment } } as unknown as Tape;
  expect(otherVariables(tape, own)).toEqual(["GONE", "MODEL", "PROMPT"]);
  const env = recordedEnvironment(tape, own, ["MODEL", "GONE", "UNSET"]);
  expect(env).toMatchObject({ MODEL: "gpt-4o", GONE: "x", PROMPT: "a", KEY: "my-own-key" });
  expect(env).not.toHaveProperty("UNSET");
});

test("time zone and locale are the recorded ones; a variable that the caller keeps is the caller's, set or not", () => {
  const localeVariables = { LC_ALL: "de_DE.UTF-8", LC_MESSAGES: null, LANG: "C" };
  const tape = { root: { process: { tz: "Europe/Berlin", localeVariables } } } as unknown as Tape;
  const own = { TZ: "Asia/Tokyo", LANG: "en_US.UTF-8", LC_MESSAGES: "fr_FR" };
  const env = recordedEnvironment(tape, own);
  expect(env).toMatchObject({ TZ: "Europe/Berlin", LC_ALL: "de_DE.UTF-8", LANG: "C" });
  expect(env).not.toHaveProperty("LC_MESSAGES");
  expect(otherVariables(tape, own)).toEqual(["LANG", "LC_MESSAGES", "TZ"]);

  const kept = recordedEnvironment(tape, own, ["TZ", "LC_ALL", "LANG", "LC_MESSAGES"]);
  expect(kept).toMatchObject(own);
  expect(kept).not.toHaveProperty("LC_ALL");
});

test("a locale that was recorded without variables does not win over one that the caller keeps", () => {
  const tape = { root: { process: { locale: "de-DE" } } } as unknown as Tape;
  expect(recordedEnvironment(tape, { LANG: "C" })).toMatchObject({ LC_ALL: "de_DE.UTF-8", LANG: "C" });
  expect(recordedEnvironment(tape, { LANG: "C" }, ["LANG"])).not.toHaveProperty("LC_ALL");
});

test("a program that saw no TZ sees none where the machine has the recorded zone", () => {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const seen = { root: { process: { tz }, environment: { TZ: null } } } as unknown as Tape;
  expect(recordedEnvironment(seen, {})).not.toHaveProperty("TZ");
  const other = { root: { process: { tz: "Asia/Kathmandu" }, environment: { TZ: null } } } as unknown as Tape;
  expect(recordedEnvironment(other, {})).toHaveProperty("TZ", "Asia/Kathmandu");
});

test("where the recorded program has listed its variables, it has those alone, in their order, and what the machine needs", () => {
  const root = {
    environmentNames: ["B", "PATH", "A", "SHLVL", "OWN", "LONG"],
    environment: { A: "1", B: "2", PATH: "/recorded", SHLVL: "1", LONG: { length: 5000 } },
  };
  const tape = { root } as unknown as Tape;
  const own = { NEW: "x", A: "1", PATH: "/mine", NODE_OPTIONS: "--import=x" };
  const env = recordedEnvironment(tape, own);
  expect(Object.keys(env).filter((name) => env[name] !== undefined && !name.endsWith("_API_KEY"))).toEqual([
    "B",
    "PATH",
    "A",
    "NODE_OPTIONS",
  ]);
  expect(env["PATH"]).toBe("/mine");
  const { names, values } = shownEnvironment(tape, env, { store: "", ownVariables: [] });
  expect(names).toEqual(root.environmentNames);
  expect([...values]).toEqual([
    ["NODE_OPTIONS", null],
    ["SHLVL", "1"],
    ["LONG", ""],
  ]);
  expect(hiddenVariables(tape, own)).toBe(2);
});

test("variables shown by replays at the same time are all taken back when the last of them ends", () => {
  const before = { ...process.env };
  const tape = (MODEL: string): Tape => ({ root: { environment: { MODEL, PATH: "/recorded" } } }) as unknown as Tape;
  const hideFirst = showVariables(tape("first"));
  expect(process.env["MODEL"]).toBe("first");
  const hideSecond = showVariables(tape("second"));
  hideFirst();
  expect(process.env["MODEL"]).toBe("second");
  hideSecond();
  expect({ ...process.env }).toEqual(before);
});
