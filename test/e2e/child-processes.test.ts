import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { launch, Store } from "./reenact.ts";
import { getPaths, recordServer } from "./record-server.ts";
import type { Recorded, Replayed } from "./trial.ts";

const programs = join(import.meta.dirname, "../programs/children");
const usual = join(programs, "usual.mjs");
const folder = mkdtempSync(join(tmpdir(), "children-"));
const ledger = join(folder, "ledger");
const store = new Store();
let provider: ChildProvider;
let env: Record<string, string>;
let recorded: Recorded;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  writeFileSync(ledger, "");
  env = { PROVIDER_URL: provider.url, LEDGER: ledger, SCRATCH: folder };
  recorded = await store.run([process.execPath, usual, ""], { env });
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

const replay = (edit = ""): Promise<Replayed> =>
  store.replay(recorded.summary.run as string, [process.execPath, usual, edit], { env });

test("children are steps with what they were given and said, and a replay starts none", async () => {
  expect(recorded, recorded.stderr).toMatchObject({ code: 0, summary: { complete: true } });
  const before = readFileSync(ledger, "utf8");
  expect(before.trim().split("\n").toSorted()).toEqual(["forked", "interpreter", "shell", "sync"]);
  const { steps } = readEnvelope(readFileSync(store.path(recorded.summary.run as string)));
  const ops = steps.map(({ record }) => record.op).filter((op) => op.startsWith("process:"));
  expect(ops.slice(0, 4)).toEqual(["process:node", "process:node.stdin", "process:sh", "process:echo"]);
  expect(ops).toContain("process:sleep.kill");
  expect(ops).toContain("process:node.send");
  const { report, stdout, stderr } = await replay();
  expect(report, stderr).toMatchObject({ verdict: "identical", findings: [], refusals: [] });
  expect(stdout).toBe(recorded.stdout);
  expect(readFileSync(ledger, "utf8")).toBe(before);
});

test.each([
  ["argument", "changed", "process:echo"],
  ["stdin", "changed", "process:node.stdin"],
  ["message", "changed", "process:node.send"],
  ["less", "missing", "process:sh"],
  ["command", "extra", "process:printf"],
])("%s: the changed child is told", async (edit, verdict, op) => {
  const before = readFileSync(ledger, "utf8");
  const { report } = await replay(edit);
  expect(report.divergence).toMatchObject({ verdict });
  expect(report.divergence?.cause).toContain(op);
  expect(readFileSync(ledger, "utf8")).toBe(before);
});

test("hostile children do what they do without a recorder, and replay", async () => {
  const command = [process.execPath, join(programs, "hostile.mjs")];
  const plain = await launch(command, { env });
  expect(plain).toMatchObject({ code: 0, stderr: "" });
  const run = await store.run(command, { env });
  expect(run.stdout).toBe(plain.stdout);
  expect(run.summary).toMatchObject({ complete: true });
  const { report, stdout, stderr } = await store.replay(run.summary.run as string, command, { env });
  expect(report, stderr).toMatchObject({ verdict: "identical", findings: [], refusals: [] });
  expect(stdout).toBe(plain.stdout);
});

test("what a child does not take is told as without a recorder, and replays", async () => {
  const command = [process.execPath, join(programs, "failed-writes.mjs")];
  const plain = await launch(command, { env });
  expect(plain).toMatchObject({ code: 0, stderr: "" });
  const run = await store.run(command, { env });
  expect(run.stdout).toBe(plain.stdout);
  const { report, stdout, stderr } = await store.replay(run.summary.run as string, command, { env });
  expect(report, stderr).toMatchObject({ verdict: "identical", findings: [], refusals: [] });
  expect(stdout).toBe(plain.stdout);
});

test("a child writes on when the run that asked it has ended: the run of the process has it in its order", async () => {
  const command = [process.execPath, join(programs, "late.mjs")];
  const run = await store.run(command, { env });
  expect(run, run.stderr).toMatchObject({ code: 0, summary: { complete: true } });
  const { report, stdout, stderr } = await store.replay(run.summary.run as string, command, { env });
  expect(report, stderr).toMatchObject({ verdict: "identical", findings: [], refusals: [] });
  expect(report.runs.map(({ verdict }) => verdict)).toEqual(["identical", "identical", "identical", "identical"]);
  expect(stdout).toBe(run.stdout);
});

test("a child that several runs use: what comes is in the run that asked for it", async () => {
  const command = [process.execPath, join(programs, "shared.mjs")];
  const plain = await launch(command, { env });
  expect(plain, plain.stderr).toMatchObject({ code: 0, stderr: "" });
  const run = await store.run(command, { env });
  expect(run.stdout).toBe(plain.stdout);
  expect(run.summary).toMatchObject({ complete: true });
  const { report, stdout, stderr } = await store.replay(run.summary.run as string, command, { env });
  expect(report, stderr).toMatchObject({ verdict: "identical", findings: [], refusals: [] });
  expect(new Set(report.runs.map(({ verdict }) => verdict))).toEqual(new Set(["identical"]));
  expect(stdout).toBe(plain.stdout);
  const changed = await store.replay(run.summary.run as string, [...command, "and more"], { env });
  expect(changed.report).toMatchObject({ verdict: "diverged" });
  expect(changed.report.divergence?.cause).toContain("process:node.stdin");
});

test("requests that share a child replay, and those that used it at the same time say why they do not", async () => {
  const command = [process.execPath, join(programs, "server.mjs"), join(folder, "address")];
  const { runs } = await recordServer(store, command, { env }, async (url) => {
    await getPaths(["one", "two"], ["three", "four"])(url);
    // the last run ends when the child has been idle for a second
    await sleep(2000);
  });
  const roots = new Map(
    runs.map((run) => {
      const { facts, incompleteReasons } = readEnvelope(readFileSync(store.path(run)));
      return [facts?.name, { run, incompleteReasons }];
    }),
  );
  const shared = ["child: node was used by several runs at the same time"];
  expect([...roots].map(([name, { incompleteReasons }]) => [name, incompleteReasons]).toSorted()).toEqual([
    ["GET /four", shared],
    ["GET /one", []],
    ["GET /three", shared],
    ["GET /two", []],
  ]);
  const { report, stderr } = await store.replay(roots.get("GET /two")?.run ?? "", command, { env });
  expect(report, stderr).toMatchObject({ verdict: "identical", refusals: [] });
});

test("what a program does once it may write on is recorded", async () => {
  const command = [process.execPath, join(programs, "backpressure.mjs")];
  const run = await store.run(command, { env });
  expect(run.summary).toMatchObject({ complete: true, steps: 4 });
  const { report, stdout, stderr } = await store.replay(run.summary.run as string, command, { env });
  expect(report, stderr).toMatchObject({ verdict: "identical", refusals: [] });
  expect(stdout).toBe(run.stdout);
});

test("of a long input what is not kept is compared by its length, which the replay says", async () => {
  const command = [process.execPath, join(programs, "long.mjs")];
  const run = await store.run(command, { env });
  expect(run, run.stderr).toMatchObject({ code: 0, summary: { complete: true } });
  const again = await store.replay(run.summary.run as string, command, { env });
  expect(again.report, again.stderr).toMatchObject({ verdict: "identical (1 value by place)" });
});

test("no secret of a child is in the record, wherever it stood and however it was cut", async () => {
  const letters = "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUiOpAsDf";
  const secrets = Object.fromEntries(
    ["arg", "input", "variable", "sync", "out", "err", "cut"].map((place, n) => [
      place,
      `sk-ant-api03-${letters.slice(n)}${letters.slice(0, n)}${place}${letters}AA`,
    ]),
  );
  const command = [process.execPath, join(programs, "secrets.mjs")];
  const given = { env: { ...env, SECRETS: JSON.stringify(secrets) } };
  const run = await store.run(command, given);
  expect(run, run.stderr).toMatchObject({ code: 0, summary: { complete: true } });
  const { steps, ...rest } = readEnvelope(readFileSync(store.path(run.summary.run as string)));
  const text = JSON.stringify([steps, rest], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  for (const [place, secret] of Object.entries(secrets)) {
    expect(text, place).not.toContain(secret.slice(13, 30));
    expect(text, place).not.toContain(secret.slice(-30));
  }
  const { report, stdout } = await store.replay(run.summary.run as string, command, given);
  expect(report.verdict).toBe("identical");
  expect(stdout).toBe(run.stdout);
});
