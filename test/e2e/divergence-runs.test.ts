import { globSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEnvelope } from "@reenact/envelope/file";
import { startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import type { Recorded, Replayed } from "./trial.ts";

const programs = join(import.meta.dirname, "../programs");
const two = join(programs, "two-agents.mjs");
const script = join(programs, "script-with-agents.mjs");
const folder = mkdtempSync(join(tmpdir(), "divergence-runs-"));
const store = new Store();
let env: Record<string, string>;
let recorded: Recorded;
let mixed: Recorded;
const ids = new Map<string, string>();

beforeAll(async () => {
  const provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
  recorded = await store.run([process.execPath, two], { env });
  mixed = await store.run([process.execPath, script], { env });
  for (const run of recorded.summary.runs) ids.set(factsOf(run).name ?? "", run);
  await provider.stop();
});

afterAll(() => {
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

const factsOf = (run: string): { name?: string; trigger?: string } =>
  readEnvelope(readFileSync(store.path(run))).facts as { name?: string; trigger?: string };

const replay = (name: string, change: string): Promise<Replayed> =>
  store.replay(ids.get(name) ?? "", [process.execPath, two, change], { env, flags: ["--timeout", "20"] });

const verdicts = ({ report }: Replayed): Record<string, string> =>
  Object.fromEntries(report.runs.map(({ name, verdict }) => [name, verdict]));

/** What the runs of one replay say of themselves, by the name of the run. */
function recordedVerdicts(): Record<string, Record<string, unknown> | undefined> {
  const of = new Map([...ids].map(([name, run]) => [run, name]));
  const files = globSync("runs/*.reenact", { cwd: store.folder });
  const manifests = files.map((file) => readEnvelope(readFileSync(join(store.folder, file))).manifest);
  return Object.fromEntries(
    manifests.flatMap(({ replay, name }) =>
      replay === undefined ? [] : [[name, { ...replay, of: of.get(replay.of) }]],
    ),
  );
}

test("each run of a replay names the recorded run that it replays, and its verdict", async () => {
  await replay("second", "first");
  const cause = "request 1 (openai.chat) differs at /messages/0/content";
  const found = { step: 1, slot: "openai.chat|0", verdict: "changed", cause };
  const said = { mode: "observe", verdict: "diverged" };
  // the run that the replay was asked for has the verdict of its whole process
  expect(recordedVerdicts()).toEqual({
    first: { of: "first", ...said, divergence: found },
    second: { of: "second", ...said, divergence: { ...found, run: ids.get("first") } },
  });
});

test("unchanged, each run of the process is identical, whichever is replayed", async () => {
  for (const name of ["first", "second"]) {
    const replayed = await replay(name, "");
    expect({ code: replayed.code, stdout: replayed.stdout }).toEqual({ code: 0, stdout: recorded.stdout });
    expect(verdicts(replayed)).toEqual({ first: "identical", second: "identical", "the process": "identical" });
  }
});

test("a change in the other run is a divergence, and names that run", async () => {
  for (const [target, changed] of [
    ["second", "first"],
    ["first", "second"],
  ] as const) {
    const replayed = await replay(target, changed);
    expect(replayed.code).toBe(10);
    expect(verdicts(replayed)).toEqual({
      first: "identical",
      second: "identical",
      "the process": "identical",
      [changed]: "diverged",
    });
    expect(replayed.report.divergence).toMatchObject({
      run: ids.get(changed),
      runName: changed,
      step: 1,
      verdict: "changed",
      pointer: "/messages/0/content",
    });
    const [, ...next] = replayed.report.divergence?.next.split(" ") ?? [];
    expect((await store.command(...next)).code).toBe(0);
  }
});

test("one more call of an agent() is refused, and told as that", async () => {
  const replayed = await replay("first", "third");
  expect(replayed.code).toBe(10);
  expect(verdicts(replayed)).toMatchObject({ first: "identical", second: "identical", third: "not-recorded" });
  expect(replayed.stdout.split("\n")[1]).toBe("ReplayMiss");
  expect(replayed.report).toMatchObject({ socketsRefused: 0, live: 0, refused: 0 });
  expect(replayed.report.divergence?.cause).toBe('agent "third" was called; the recorded process has no such run');
});

test("a call outside every agent() where the recorded process made none is refused", async () => {
  const replayed = await replay("second", "outside");
  expect(replayed.code).toBe(10);
  expect(replayed.stdout).toContain("ReplayMiss");
  expect(verdicts(replayed)).toMatchObject({ "the process": "diverged" });
  expect(replayed.report.divergence).toMatchObject({ verdict: "extra", slot: "openai.chat|0" });
});

test("a run that a script does not begin any more is missing", async () => {
  const replayed = await replay("first", "no-second");
  expect(replayed.code).toBe(10);
  expect(verdicts(replayed)).toMatchObject({ first: "identical", second: "not-begun" });
  expect(replayed.report.divergence).toMatchObject({ verdict: "missing", runName: "second" });
});

test("beside the run of the process itself all its agents are judged, and the other way round", async () => {
  expect(mixed.summary.runs).toHaveLength(4);
  for (const run of mixed.summary.runs) {
    const { code, report } = await store.replay(run, [process.execPath, script], { env });
    expect({ code, verdicts: report.runs.map(({ verdict }) => verdict) }).toEqual({
      code: 0,
      verdicts: Array.from({ length: 4 }, () => "identical"),
    });
  }
});

test("without the record of another run that one is not judged, and the verdict says so", async () => {
  const away = join(folder, "away.reenact");
  const path = store.path(ids.get("first") ?? "");
  renameSync(path, away);
  const replayed = await replay("second", "");
  renameSync(away, path);
  expect(replayed.code).toBe(11);
  expect(verdicts(replayed)).toMatchObject({ first: "not-judged", second: "identical" });
  expect(replayed.report.findings).toContain("run-not-judged");
  expect(replayed.report.notes.join()).toContain('not judged: the record of run "first"');
});
