import { copyFileSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { bin, launch, type RunSummary } from "./reenact.ts";
import { ownBench } from "./own-bench.ts";

const programs = join(import.meta.dirname, "../programs");
const bench = ownBench();

interface Summary extends RunSummary {
  hindrances: { kind: string; what: string; stops: boolean; next: string }[];
}

/** What `reenact run` says of a program that does something beside the record. */
async function summaryOf(way: string, more: Record<string, string> = {}, program = "beside-the-record.mjs") {
  const { folder } = bench.store;
  const env = { PROVIDER_URL: bench.provider.url, REENACT_STORE: folder, ...more };
  const command = [process.execPath, bin, "run", "--json", "--", process.execPath, program, way];
  const { stdout, stderr } = await launch(command, { cwd: programs, env, input: "a question" });
  return { said: stderr, summary: JSON.parse(stdout.slice(stdout.lastIndexOf('{"schemaVersion"'))) as Summary };
}

/** Runs the replay command that the summary prints, typed into a shell. */
async function replayOf(said: string) {
  const [, args = ""] = /reenact (replay .*)$/m.exec(said) ?? [];
  const line = `'${process.execPath}' '${bin}' ${args.replace(" -- node ", ` -- '${process.execPath}' `)}`;
  const env = { PROVIDER_URL: bench.provider.url, REENACT_STORE: bench.store.folder };
  return launch(["/bin/sh", "-c", line], { cwd: programs, env });
}

test("nothing beside the record: complete, and the command that replays it", async () => {
  const { said, summary } = await summaryOf("nothing");
  expect(summary).toMatchObject({ complete: true, hindrances: [] });
  expect(said).toContain(" · complete\n");
  expect((await replayOf(said)).code).toBe(0);
});

test("what stops a replay is said instead of a command that fails", async () => {
  const what = "connection to 127.0.0.1:";
  const { said, summary } = await summaryOf("socket");
  expect(said).toContain(" · not all recorded\n");
  expect(said).not.toContain(" · complete");
  expect(said).toContain(`! a replay stops at what is not recorded: ${what}`);
  expect(said).not.toMatch(/node:|replay: /);
  expect(said).toMatch(/next: wrap what uses it in tool\("name", fn\).*reenact show/);
  expect(summary.hindrances).toMatchObject([{ stops: true, what: expect.stringContaining(what) }]);
  expect(said.split("\n").length).toBeLessThan(7);
});

test("a thread that connects to a server is refused that and goes on, which is said", async () => {
  const { said, summary } = await summaryOf("thread");
  const what = "thread asks-by-variable.mjs (connects to a server, beside-the-record.mjs:";
  expect(said).toContain(" · not all recorded\n");
  expect(said).toContain(`! a replay refuses what is not recorded, and diverges if that changes anything: ${what}`);
  expect(said).not.toMatch(/a replay stops|replay: /);
  expect(summary.hindrances).toMatchObject([{ stops: false, refused: true, what: expect.stringContaining(what) }]);
});

test("a forked agent has a run of its own, which is named with the command that replays it", async () => {
  const { said, summary } = await summaryOf("fork");
  expect(summary.runs).toHaveLength(2);
  expect(said).toMatch(/replay: reenact replay [0-9a-f]{6} -- \S.* beside-the-record\.mjs fork\n/);
  expect(said).toMatch(/run [0-9a-f]{6} is of a process that it started; replay it by itself: reenact replay/);
  const parents = summary.runs.map((run) => readEnvelope(readFileSync(bench.store.path(run))).manifest.parent ?? "");
  expect(parents.toSorted()).toEqual(["", summary.run]);
  expect((await replayOf(said)).code).toBe(0);
});

test("where only the forked process calls a model, the command starts that one", async () => {
  const { said } = await summaryOf("fork-only");
  expect(said).toMatch(/replay: reenact replay [0-9a-f]{6} -- node asks-by-variable\.mjs\n/);
  expect((await replayOf(said)).code).toBe(0);
});

test.for(["tells", "hears"])("a forked agent that %s its parent is not said to replay by itself", async (way) => {
  const { said } = await summaryOf(way, {}, "answers-its-parent.mjs");
  expect(said).toMatch(
    /run ([0-9a-f]{6}) is of a process that it started; not all recorded: messages with the process that started it \(answers-its-parent\.mjs:\d+:\d+\)\. All of it: reenact show \1/,
  );
  expect(said.match(/reenact replay .*/g)).toEqual([expect.stringContaining(`answers-its-parent.mjs ${way}`)]);
});

test("a forked agent that sends and hears nothing replays by itself", async () => {
  const { said } = await summaryOf("silent", {}, "answers-its-parent.mjs");
  expect(said).toMatch(/is of a process that it started; replay it by itself: reenact replay/);
  expect((await replayOf(said)).code).toBe(0);
});

test("a failed worker of a cluster is not said to replay, nor to have started the primary process", async () => {
  const { said, summary } = await summaryOf("cluster", {}, "answers-its-parent.mjs");
  expect(summary.hindrances).toMatchObject([{ kind: "parent", stops: false, refused: true }]);
  expect(said).toContain(" · not all recorded\n");
  expect(said).toMatch(/run [0-9a-f]{6} is of another process; not all recorded: child process/);
  expect(said).not.toContain("reenact replay");
});

test("standard input is told: a replay reads its own", async () => {
  const { said, summary } = await summaryOf("input");
  expect(said).toContain("! not recorded: standard input");
  expect(said).toContain("give the replay the same input");
  expect(summary.hindrances).toMatchObject([{ kind: "stdin", stops: false }]);
});

test("a native addon is told, unless it is known to compute only", async () => {
  const [addon = ""] = globSync("node_modules/@oxc-parser/binding-linux-*/*.node", { cwd: join(programs, "../..") });
  const from = join(programs, "../..", addon);
  const own = join(bench.folder, "node_modules/native-thing");
  mkdirSync(own, { recursive: true });
  copyFileSync(from, join(own, "thing.node"));
  const { said, summary } = await summaryOf("addon", { ADDON: join(own, "thing.node") });
  expect(said).toContain("! not recorded: native addon native-thing/thing.node");
  expect(said).toContain("a replay runs it again");
  expect(summary.hindrances).toMatchObject([{ kind: "addon", stops: false }]);
  expect((await summaryOf("addon", { ADDON: from })).summary.hindrances).toEqual([]);
});
