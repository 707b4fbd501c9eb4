import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEnvelope } from "@reenact/envelope/file";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { scale } from "../scale.ts";
import { scenarioEnvironment } from "../scenarios/recorded-scenario.ts";
import { Store } from "./reenact.ts";
import { difference, type Recorded } from "./trial.ts";

const programs = join(import.meta.dirname, "../programs/agents");
const logs = mkdtempSync(join(tmpdir(), "agents-"));
const cache = join(logs, "cache");
/** What each is given; whole programs as people write them, each in its own manner. */
const AGENTS: Record<string, { args?: readonly string[]; input?: string; few?: boolean }> = {
  "cached.mjs": { args: [cache] },
  "chat.mjs": { input: "hello\nhow are you?\n:forget\nand now?\n:quit\nnever\n", few: true },
  "claude-runner.mjs": {},
  "orders.cjs": { few: true },
  "patient.mjs": {},
  "research.mjs": { few: true },
  "support-team.mjs": {},
  "wire.mjs": {},
};
const chosen = Object.entries(AGENTS).filter(([, { few }]) => scale(few === true ? 1 : 0, 1, 1) === 1);

const STREAMING = [process.execPath, join(import.meta.dirname, "../programs/streaming-agent.mjs")];
const QUESTIONS = [process.execPath, join(import.meta.dirname, "../programs/questions.mjs")];
const SCRIPT = [process.execPath, join(import.meta.dirname, "../programs/script-with-agents.mjs")];

const store = new Store();
const recordings = new Map<string, Recorded>();
let streaming: Recorded;
let questions: Recorded;
let script: Recorded;
let provider: ChildProvider;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
  const env = scenarioEnvironment(provider.url);
  for (const [name, { args = [], ...given }] of chosen)
    recordings.set(name, await store.run([process.execPath, join(programs, name), ...args], { env, ...given }));
  streaming = await store.run(STREAMING, { env: { PROVIDER_URL: provider.url } });
  questions = await store.run([...QUESTIONS, "how", "why+when"], { env: { PROVIDER_URL: provider.url } });
  script = await store.run(SCRIPT, { env: { PROVIDER_URL: provider.url } });
  await provider.stop();
});

afterAll(() => {
  store.remove();
  rmSync(logs, { recursive: true, force: true });
});

test.each(chosen)("%s replays identically with the provider gone", async (name, { args = [], ...given }) => {
  const recorded = recordings.get(name) as Recorded;
  expect(recorded).toMatchObject({ code: 0, summary: { status: "ok", complete: true } });
  const env = scenarioEnvironment(provider.url);
  const command = [process.execPath, join(programs, name), ...args];
  const replayed = await store.replay(recorded.summary.run ?? "", command, { env, ...given });
  expect(difference(recorded, replayed) ?? "").toBe("");
  expect(replayed.report.findings).toEqual([]);
});

test("an agent that is a generator is a run for each call, which lasts until it has been read or left", async () => {
  const { runs } = streaming.summary;
  const steps = runs.map((run) => readEnvelope(readFileSync(store.path(run))).steps.length);
  expect(steps.toSorted()).toEqual([2, 6]);
  for (const run of runs) {
    const { report, stdout } = await store.replay(run, STREAMING, { env: { PROVIDER_URL: provider.url } });
    expect({ stdout, verdict: report.verdict, socketsRefused: report.socketsRefused }).toEqual({
      stdout: streaming.stdout,
      verdict: "identical",
      socketsRefused: 0,
    });
  }
});

test("runs of one process are known by what they were asked, in whatever order it is asked now", async () => {
  expect(questions.summary.runs).toHaveLength(3);
  for (const [n, run] of questions.summary.runs.entries()) {
    const order = [["when", "how", "why"], ["when+why", "how"], ["why+how+when"]][n] ?? [];
    const { report, stdout } = await store.replay(run, [...QUESTIONS, ...order], {
      env: { PROVIDER_URL: provider.url },
    });
    expect({ stdout, verdict: report.verdict }).toEqual({ stdout: questions.stdout, verdict: "identical" });
  }
});

test("a script and the agents that it calls are runs of their own: each replays", async () => {
  expect(script.summary.runs).toHaveLength(4);
  for (const run of script.summary.runs) {
    const { report, stdout } = await store.replay(run, SCRIPT, { env: { PROVIDER_URL: provider.url } });
    expect({ stdout, verdict: report.verdict, cause: report.divergence?.cause }).toEqual({
      stdout: script.stdout,
      verdict: "identical",
    });
  }
});
