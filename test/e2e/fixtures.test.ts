import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { bin, type Ended, launch } from "./reenact.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../programs/refund-desk.mjs", import.meta.url));
const DEFINITION = "test/runs/refund.fixture.json";
const TEST_FILE = "test/runs/refund.test.mjs";

let provider: Awaited<ReturnType<typeof startProvider>>;
let project: string;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "reenact-fixtures-"));
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
  copyFileSync(PROGRAM, join(project, "desk.mjs"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const reenact = (...args: string[]): Promise<Ended> =>
  launch([process.execPath, bin, ...args], { cwd: project, env: { REENACT_STORE: undefined, CI: undefined } });

async function record(env: Record<string, string> = {}): Promise<void> {
  await launch([process.execPath, bin, "run", "--quiet", "--", "node", "desk.mjs"], {
    cwd: project,
    env: { PROVIDER_URL: provider.url, ...env },
  });
}

function edit(from: string, to: string): void {
  const file = join(project, "desk.mjs");
  const source = readFileSync(file, "utf8");
  expect(source.split(from)).toHaveLength(2);
  writeFileSync(file, source.replace(from, to));
}

const vitest = (): Promise<Ended> =>
  launch([process.execPath, join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--root", project], {
    cwd: project,
    env: { CI: "1", NO_COLOR: "1" },
  });
const nodeTest = (): Promise<Ended> => launch([process.execPath, "--test", TEST_FILE], { cwd: project });

describe("a run that went well", () => {
  beforeEach(() => record());

  test("is a test that passes offline, and fails with step and cause where the agent does something else", async () => {
    const added = await reenact("test", "add", "@last", "--name", "refund", "--", "node", "desk.mjs");
    expect(added.stderr).toMatch(/with the code of now:\n✓ refund: identical/);
    expect(added.code).toBe(0);
    const runs = readdirSync(join(project, ".reenact/runs"));
    const same = await reenact("test");
    expect([same.code, same.stderr]).toEqual([0, expect.stringMatching(/✓ refund: identical.*\n1 passed, 0 failed/)]);
    // a replay that passes leaves no run behind
    expect(readdirSync(join(project, ".reenact/runs"))).toEqual(runs);
    expect((await nodeTest()).code).toBe(0);

    edit("const amount = 90", "const amount = 91");
    const other = await reenact("test", "refund");
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/✗ refund: diverged.*\n {2}step 2 .*changed/);
    expect(other.stderr).toMatch(/recorded: 90\n {2}now: {6}91/);
    expect(other.stderr).toContain(`reenact test accept ${join(project, DEFINITION)}`);
    const failed = await nodeTest();
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/step 2 /);
  });

  test("can be replayed around a function by vitest, with matchers", async () => {
    const args = ["--name", "refund", "--function", "desk.mjs#desk", "--runner", "vitest"];
    expect((await reenact("test", "add", "@last", ...args)).code).toBe(0);
    const passed = await vitest();
    expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("1 passed")]);
    const matchers = `import { replay } from "@reenact/vitest";
import { expect, test } from "vitest";
import { desk } from "../../desk.mjs";
test("matchers", async () => {
  const replayed = await replay(new URL("refund", import.meta.url), desk);
  expect(replayed).toReplay();
  expect(replayed).toCallTool("refund", { order: "A-17" });
  expect(replayed).toCallTool("refund", ({ amount }) => amount === 90);
  expect(replayed).not.toCallTool("refund", { amount: 9 });
  expect(replayed).not.toCallTool("delete_order");
  expect(typeof replayed.output).toBe("string");
});`;
    writeFileSync(join(project, "test/runs/matchers.test.mjs"), matchers);
    expect((await vitest()).stdout).toContain("2 passed");
    edit('order: "A-17", amount', 'order: "A-18", amount');
    const failed = await vitest();
    expect(failed.code).toBe(1);
    expect(failed.stdout + failed.stderr).toMatch(/step 2 .*changed/);
    // the command line leaves such a fixture to the test runner, and says so
    const skipped = await reenact("test");
    expect([skipped.code, skipped.stderr]).toEqual([1, expect.stringContaining("run its test file")]);
  });
});

describe("a run that failed", () => {
  beforeEach(async () => {
    await record({ STRICT: "1" });
    const args = ["--name", "refund", "--run-tool", "refund", "--", "node", "desk.mjs"];
    const added = await reenact("test", "add", "@failed", ...args);
    expect(added.stderr).toContain("the recorded failure happens again");
  });

  test("fails with the old code, passes with a fix, is accepted, and fails again with the fault back", async () => {
    expect((await reenact("test")).code).toBe(1);
    edit("const LIMIT = Infinity", "const LIMIT = 50");
    const fixed = await reenact("test");
    expect([fixed.code, fixed.stderr]).toEqual([
      0,
      expect.stringMatching(/✓ refund: fixed: the agent leaves the recorded failure at step 3/),
    ]);
    const before = readFileSync(join(project, DEFINITION), "utf8");
    const dry = await reenact("test", "accept", "refund", "--dry-run");
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringMatching(/\+ leaves the record at step 3 .*90 is above/)]);
    expect(readFileSync(join(project, DEFINITION), "utf8")).toBe(before);
    expect((await reenact("test", "accept", "refund")).code).toBe(0);
    expect((await reenact("test")).stderr).toContain("✓ refund: as accepted");

    edit("const LIMIT = 50", "const LIMIT = 500");
    const again = await reenact("test");
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/not the accepted outcome.*\n {2}- verdict diverged/),
    ]);
    edit("const LIMIT = 500", "const LIMIT = 60");
    edit("is above the limit", "is too much");
    const otherwise = await reenact("test");
    expect([otherwise.code, otherwise.stderr]).toEqual([
      1,
      expect.stringMatching(/\+ leaves the record .*is too much/),
    ]);
  });

  test("is not fixed by an agent that breaks, and what the program printed is shown, but not kept", async () => {
    const secret = "sk-proj-Zq8mT1vB7xK2nR5wY9cJ4hL6pD3fG0sA8eU1iO7tN5bV2";
    const error = `console.error("printed"); throw new Error("broken by ${secret}");`;
    edit("const answer = await chat(question);", `const answer = await chat(question); ${error}`);
    const broken = await reenact("test");
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(/✗ refund: the agent now ends with an error/);
    expect(broken.stderr).toContain("broken by");
    const folder = join(project, ".reenact/tests");
    const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(kept).toHaveLength(1);
    expect(JSON.parse(kept[0]!)).toMatchObject({ status: "failed", cause: expect.stringContaining("broken by") });
    for (const raw of [secret, "printed"]) expect(kept[0]).not.toContain(raw);
  });

  test("is reported to machines", async () => {
    const json = JSON.parse((await reenact("test", "--reporter", "json")).stdout) as Record<string, unknown>;
    expect(json).toMatchObject({ schemaVersion: 1, tests: [{ name: "refund", status: "failed" }] });
    const file = join(project, "junit.xml");
    expect((await reenact("test", "--reporter", "junit", "-o", file)).code).toBe(1);
    expect(readFileSync(file, "utf8")).toMatch(/<testsuite name="reenact" tests="1" failures="1" skipped="0"/);
    const github = await reenact("test", "--reporter", "github");
    expect(github.stdout).toMatch(/^::error file=.*refund\.fixture\.json,title=refund::refund: the recorded failure/);
  });
});

describe("bad input has a clear error", () => {
  test("no fixture at all is a failure", async () => {
    const none = await reenact("test");
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("REEN-NO-TESTS")]);
    const named = await reenact("test", "nothing");
    expect([named.code, named.stderr]).toEqual([1, expect.stringContaining("no fixture nothing")]);
  });

  test("names, functions, commands, files that are there, and damaged definitions", async () => {
    await record();
    const add = (...args: string[]): Promise<Ended> => reenact("test", "add", "@last", ...args);
    expect((await add("--name", "a/b")).stderr).toMatch(/is no name for files.*REEN-USAGE/);
    expect((await add("--function", "desk.mjs")).stderr).toMatch(/is no function.*REEN-USAGE/);
    expect((await add("--function", "none.mjs#desk")).stderr).toMatch(/no such file: none\.mjs.*REEN-NO-FILE/);
    expect(existsSync(join(project, "test"))).toBe(false);
    expect((await add("--name", "refund")).code).toBe(0);
    expect((await add("--name", "refund")).stderr).toMatch(/are there already.*--force.*REEN-OUTPUT/);
    expect((await add("--name", "refund", "--force")).code).toBe(0);

    const definition = join(project, DEFINITION);
    const whole = readFileSync(definition, "utf8");
    writeFileSync(definition, whole.replace('"same"', '"perhaps"'));
    const damaged = await reenact("test");
    expect([damaged.code, damaged.stderr]).toEqual([3, expect.stringMatching(/at \/expect:.*REEN-FIXTURE/)]);
    writeFileSync(definition, whole.replace('"node"', '"no-such-program"'));
    const unstarted = await reenact("test");
    expect([unstarted.code, unstarted.stderr]).toEqual([1, expect.stringMatching(/cannot start no-such-program/)]);
    rmSync(join(project, "test/runs/refund.reenact"));
    expect((await reenact("test")).stderr).toMatch(/no recorded run .*REEN-FIXTURE/);
  });
});
