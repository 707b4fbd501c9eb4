import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { type Ended, launch } from "./reenact.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const AGENT = `import OpenAI from "openai";
export async function ask(question) {
  const client = new OpenAI({ baseURL: process.env.PROVIDER_URL + "/v1", maxRetries: 0 });
  const { choices } = await client.chat.completions.create({
    model: "echo-random",
    messages: [{ role: "user", content: question }],
  });
  return choices[0].message.content;
}
`;
const STREAMING_AGENT = `import Anthropic from "@anthropic-ai/sdk";
export async function stream(question) {
  const client = new Anthropic({ baseURL: process.env.PROVIDER_URL, maxRetries: 0 });
  const messages = [{ role: "user", content: question }];
  const streamed = client.messages.stream({ model: "scn-thinking", max_tokens: 100, messages });
  let events = 0;
  for await (const _ of streamed) events++;
  return [events, (await streamed.finalMessage()).id];
}
`;
const AT_ONCE = `import { replay } from "@reenact/vitest";
import { expect, test } from "vitest";
import { ask, stream } from "./agent.mjs";
for (const [name, fn] of Object.entries({ a: ask, b: stream, c: ask, d: stream, e: ask }))
  test.concurrent(name, async () => {
    const replayed = await replay("runs/" + name, fn, { input: ["question " + name] });
    expect(replayed).toMatchRun();
    console.log(name, replayed.mode);
  });
`;
const NODE_TEST = `import { test } from "node:test";
import { assertFixture } from "@reenact/testing";
import { ask } from "./agent.mjs";
test("ask", async () => {
  const { mode, output } = await assertFixture("runs/ask", ask, { input: ["Mail dana.ruiz@contoso.com"] });
  console.log("answer", mode, output.length > 0);
});
`;
const VITEST = `import { replay } from "@reenact/vitest";
import { expect, test } from "vitest";
import { desk } from "./desk.mjs";
test("desk", async () => {
  const replayed = await replay("runs/desk", desk, { input: ["Please refund A-17."] });
  expect(replayed).toMatchRun();
  expect(replayed).toCallTool("refund", { amount: 90 });
});
`;

let provider: Awaited<ReturnType<typeof startProvider>>;
let project: string;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "reenact-modes-"));
  mkdirSync(join(project, "runs"));
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
  copyFileSync(join(ROOT, "test/programs/refund-desk.mjs"), join(project, "desk.mjs"));
  writeFileSync(join(project, "agent.mjs"), AGENT);
  writeFileSync(join(project, "ask.test.mjs"), NODE_TEST);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const OFFLINE = "http://127.0.0.1:9";
const nodeTest = (mode: string, env: Record<string, string | undefined> = {}): Promise<Ended> =>
  launch([process.execPath, "--test", "ask.test.mjs"], {
    cwd: project,
    env: {
      REENACT_MODE: mode,
      REENACT_STORE: undefined,
      CI: undefined,
      OPENAI_API_KEY: undefined,
      PROVIDER_URL: OFFLINE,
      ...env,
    },
  });
const live = (): Record<string, string> => ({ PROVIDER_URL: provider.url, OPENAI_API_KEY: "sk-none" });
const file = (name: string): string => join(project, "runs", name);

test("record writes the fixture anew, redacted; without a mode it is replayed offline with no key", async () => {
  const recorded = await nodeTest("record", live());
  expect(recorded.stdout).toContain("answer record true");
  expect(recorded.stdout + recorded.stderr).toMatch(
    /recorded runs\/ask\.reenact \(\d+\.\d kB\) and runs\/ask\.fixture\.json/,
  );
  expect([recorded.code, existsSync(file("ask.reenact"))]).toEqual([0, true]);
  const spans = JSON.stringify(
    readEnvelope(readFileSync(file("ask.reenact"))).spans.map(({ span }) => span.attributes),
  );
  expect(spans).toContain("Mail ");
  expect(spans).not.toContain("dana.ruiz");
  const replayed = await nodeTest("");
  expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringContaining("answer replay true")]);

  const first = readFileSync(file("ask.fixture.json"), "utf8");
  writeFileSync(join(project, "agent.mjs"), AGENT.replace("content: question", 'content: question + "!"'));
  const other = await nodeTest("");
  expect([other.code, other.stdout]).toEqual([1, expect.stringContaining("diverged")]);
  expect((await nodeTest("record", live())).code).toBe(0);
  expect(readFileSync(file("ask.fixture.json"), "utf8")).not.toBe(first);
  expect((await nodeTest("")).code).toBe(0);

  // a run that failed does not take the place of a good one
  const good = readFileSync(file("ask.reenact"));
  const failed = await nodeTest("record", { ...live(), PROVIDER_URL: OFFLINE });
  expect([failed.code, failed.stdout]).toEqual([
    1,
    expect.stringMatching(/ended failed.*the fixture was not written.*reenact show/),
  ]);
  expect(readFileSync(file("ask.reenact")).equals(good)).toBe(true);
});

test("auto records what is missing, replays what is there, and fails in CI on a miss", async () => {
  const miss = await nodeTest("auto", { ...live(), CI: "true" });
  expect([miss.code, miss.stdout]).toEqual([
    1,
    expect.stringMatching(/no recorded run .*ask\.reenact.*CI is set.*Next: /),
  ]);
  expect(existsSync(file("ask.reenact"))).toBe(false);
  expect((await nodeTest("auto", live())).stdout).toContain("answer record true");
  expect((await nodeTest("auto", { CI: "true" })).stdout).toContain("answer replay true");
});

test("tests at once: what is there is replayed, what is missing recorded, and both replay afterwards", async () => {
  writeFileSync(join(project, "agent.mjs"), AGENT + STREAMING_AGENT);
  writeFileSync(join(project, "at-once.test.mjs"), AT_ONCE);
  const keys = { OPENAI_API_KEY: "sk-none", ANTHROPIC_API_KEY: "sk-ant-none" };
  const atOnce = async (REENACT_MODE: string, env: Record<string, string | undefined>): Promise<string> => {
    const args = [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "at-once.test.mjs", "--root", project];
    const { stdout, stderr } = await launch([process.execPath, ...args], {
      cwd: project,
      env: { REENACT_STORE: undefined, CI: undefined, NO_COLOR: "1", REENACT_MODE, ...env },
    });
    const modes = [...stdout.matchAll(/^(\w) (\w+)$/gm)].map(([, name, mode]) => `${name} ${mode}`);
    return [/Tests .*/.exec(stdout)?.[0], ...modes.toSorted(), stdout.includes("FAIL") ? stdout + stderr : ""].join(
      ", ",
    );
  };
  expect(await atOnce("auto", { PROVIDER_URL: provider.url, ...keys })).toMatch(
    /5 passed.*, a record, b record, c record, d record, e record/,
  );
  for (const name of ["b", "e"]) for (const ending of ["reenact", "fixture.json"]) rmSync(file(`${name}.${ending}`));
  expect(await atOnce("auto", { PROVIDER_URL: provider.url, ...keys })).toMatch(
    /5 passed.*, a replay, b record, c replay, d replay, e record/,
  );
  const keyless = { OPENAI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined };
  expect(await atOnce("replay", { PROVIDER_URL: OFFLINE, ...keyless })).toMatch(
    /5 passed.*, a replay, b replay, c replay, d replay, e replay/,
  );
});

test("live keeps nothing, and a value that is no mode is an error", async () => {
  const ended = await nodeTest("live", live());
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("answer live true")]);
  expect([existsSync(file("ask.reenact")), existsSync(join(project, ".reenact"))]).toEqual([false, false]);
  const threw = await nodeTest("live", { ...live(), PROVIDER_URL: OFFLINE });
  expect([threw.code, threw.stdout]).toEqual([1, expect.stringMatching(/REENACT_MODE=live: the agent threw/)]);
  const bad = await nodeTest("rewind", live());
  expect([bad.code, bad.stdout]).toEqual([
    1,
    expect.stringMatching(/REENACT_MODE is "rewind".*replay, record, auto, live/),
  ]);
});

test("the matchers of vitest hold in each mode", async () => {
  writeFileSync(join(project, "desk.test.mjs"), VITEST);
  for (const [REENACT_MODE, url] of [
    ["live", provider.url],
    ["record", provider.url],
    ["replay", OFFLINE],
  ] as const) {
    const args = ["run", "desk.test.mjs", "--root", project];
    const env = { REENACT_MODE, REENACT_STORE: undefined, PROVIDER_URL: url, NO_COLOR: "1" };
    const ended = await launch([process.execPath, join(ROOT, "node_modules/vitest/vitest.mjs"), ...args], {
      cwd: project,
      env,
    });
    expect([REENACT_MODE, ended.code, ended.stdout + ended.stderr]).toEqual([
      REENACT_MODE,
      0,
      expect.stringContaining("1 passed"),
    ]);
  }
});
