import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Provider, type Script, startProvider } from "../../examples/scripted-provider/provider.ts";
import { scenarioEnvironment } from "../scenarios/recorded-scenario.ts";
import { Store } from "./reenact.ts";
import { difference, type Recorded } from "./trial.ts";

const programs = join(import.meta.dirname, "../programs/suspended");
const older = join(import.meta.dirname, "../older-frameworks/package.json");

const store = new Store();
const folder = mkdtempSync(join(tmpdir(), "reenact-suspended-"));
let provider: Provider;
let env: Record<string, string> = {};
let isUp = true;

beforeAll(async () => {
  const { script } = (await import(join(programs, "script.mjs"))) as { script: Script };
  provider = await startProvider({ script });
  env = { ...scenarioEnvironment(provider.url), REENACT_SESSION: "order 77" };
});
afterAll(async () => {
  if (isUp) await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true });
});

const cases = [
  { name: "OpenAI Agents", program: "openai-agents", also: {}, asks: "approval of refund" },
  { name: "AI SDK 7", program: "ai-sdk", also: {}, asks: "approval of refund" },
  { name: "AI SDK 6", program: "ai-sdk", also: { AI_SDK_OF: older }, asks: "approval of refund" },
  { name: "LangGraph", program: "langgraph", also: {}, asks: "resume" },
];
type Case = (typeof cases)[number];

interface Suspended {
  readonly command: readonly string[];
  readonly env: Record<string, string>;
  readonly file: string;
  readonly asked: Recorded;
  readonly approved: Recorded;
}
const suspended = new Map<string, Suspended>();

/** One process asks and ends, the next one decides. The file is left as the first has written it. */
async function suspend({ name, program, also }: Case): Promise<Suspended> {
  const file = join(folder, `${name}.json`);
  const kept = join(folder, `${name}.kept.json`);
  const command = [process.execPath, join(programs, `${program}.mjs`), file];
  const own = { ...env, ...also };
  const asked = await store.run(command, { env: own });
  copyFileSync(file, kept);
  const approved = await store.run(command, { env: own });
  copyFileSync(kept, file);
  const all = { command, env: own, file, asked, approved };
  suspended.set(name, all);
  return all;
}

test.each(cases)("$name: another process decides what the first has asked", async (each) => {
  const { asked, approved } = await suspend(each);
  expect(asked.code, asked.stderr).toBe(0);
  expect(asked.stdout).toContain("waits: ");
  expect(asked.summary).toMatchObject({ complete: true, hindrances: [] });
  expect(approved.code, approved.stderr).toBe(0);
  expect(approved.stdout).toContain("paid 4200 for A-77");
  expect(approved.stderr).toBe("ran\n");

  const shown = await store.command("show", approved.summary.run ?? "");
  expect(shown.stdout).toMatch(new RegExp(`1 INPUT +${each.asks}`));
  expect(shown.stdout).toContain('{"order":"A-77","cents":4200}');
  if (each.asks !== "resume")
    expect(shown.stdout).toMatch(
      /of call ([0-9a-f]{12})\n.*approved refund\(.*\n.*refund.* call \1, approved in step 1/,
    );
});

test("both runs are in their session, in order", async () => {
  const listed = await store.command("ls", "--session", "order 77", "--json");
  const { runs } = JSON.parse(listed.stdout) as { runs: { run: string }[] };
  const made = cases.flatMap(({ name }) => [suspended.get(name)?.asked, suspended.get(name)?.approved]);
  expect(runs.map(({ run }) => run).toReversed()).toEqual(made.map((each) => each?.summary.run));
});

test("an answer to an interrupt in a tool is compared, though a replay does not run the tool", async () => {
  const command = [process.execPath, join(programs, "langgraph-tool.mjs")];
  const recorded = await store.run(command, { env });
  expect(recorded.stdout).toContain("paid 4200 for A-77");
  const same = await store.replay(recorded.summary.run ?? "", command, { env });
  expect(difference({ ...recorded, stderr: "" }, same)).toBeNull();
  const { report } = await store.replay(recorded.summary.run ?? "", [...command, "reject"], { env });
  expect(report).toMatchObject({ verdict: "diverged", divergence: { verdict: "changed", pointer: "/0/answer" } });
  expect(report.divergence?.cause).toMatch(/^the decision of step 3 \(resume\) is not the recorded one/);
});

test.each(cases)("$name: both runs replay, with their model gone and no tool run", async ({ name }) => {
  if (isUp) await provider.stop();
  isUp = false;
  const { command, env: own, file, asked, approved } = suspended.get(name) as Suspended;
  const second = await store.replay(approved.summary.run ?? "", command, { env: own });
  expect(difference({ ...approved, stderr: "" }, second)).toBeNull();
  if (name === "OpenAI Agents" || name === "AI SDK 6") return;
  rmSync(file);
  const first = await store.replay(asked.summary.run ?? "", command, { env: own });
  copyFileSync(join(folder, `${name}.kept.json`), file);
  expect(difference(asked, first)).toBeNull();
});

test.each([cases[1], cases[3]] as Case[])("$name: another decision is told", async ({ name, asks }) => {
  const { command, env: own, approved } = suspended.get(name) as Suspended;
  const { report } = await store.replay(approved.summary.run ?? "", [...command, "reject"], { env: own });
  expect(report).toMatchObject({ verdict: "diverged", divergence: { verdict: "changed", step: 1 } });
  const cause =
    asks === "resume"
      ? /^the decision of step 1 \(resume\) is not the recorded one at \/0\/answer$/
      : /^the call of refund that a person approved \(step 1\) is rejected now$/;
  expect(report.divergence?.cause).toMatch(cause);
});

test("an approval of all later calls is another decision than one of this call", async () => {
  const { command, env: own, approved } = suspended.get("OpenAI Agents") as Suspended;
  const { report } = await store.replay(approved.summary.run ?? "", [...command, "always"], { env: own });
  expect(report.divergence?.cause).toBe("the call of refund is approved otherwise than in step 1: at /0/always");
});

test("a tool with other arguments than a person saw is told", async () => {
  const { command, env: own, approved } = suspended.get("LangGraph") as Suspended;
  const { report } = await store.replay(approved.summary.run ?? "", [...command, "approve", "9900"], { env: own });
  expect(report.divergence).toMatchObject({
    verdict: "changed",
    step: 3,
    pointer: "/0/cents",
    recorded: 4200,
    now: 9900,
    cause:
      "arguments of tool:refund (step 3) differ at /0/cents: they are not those that a person was asked about in step 2",
  });
});
