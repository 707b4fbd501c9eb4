import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import { getPaths, recordServer } from "./record-server.ts";
import type { Recorded, Replayed } from "./trial.ts";

const programs = join(import.meta.dirname, "../programs/mcp");
const program = join(programs, "client.mjs");
const store = new Store();
let provider: ChildProvider;
let server: ChildProcess;
let env: Record<string, string>;
let recorded: Recorded;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(store.folder, "provider.jsonl") });
  server = spawn(process.execPath, [join(programs, "server.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  env = { PROVIDER_URL: provider.url, MCP_URL: `http://127.0.0.1:${String(port).trim()}/mcp` };
  recorded = await store.run([process.execPath, program, ""], { env });
  if (server.exitCode === null) {
    server.kill();
    await once(server, "exit");
  }
  await provider.stop();
});

afterAll(() => store.remove());

const replay = (edit = ""): Promise<Replayed> =>
  store.replay(recorded.summary.run as string, [process.execPath, program, edit], { env });

test("tools of an MCP server are steps of their names, and replay without the server", async () => {
  expect(recorded).toMatchObject({ code: 0, summary: { complete: true } });
  const { steps } = readEnvelope(readFileSync(store.path(recorded.summary.run as string)));
  const ops = steps.map(({ record }) => record.op);
  expect(ops.filter((op) => op === "tool:wait")).toHaveLength(4);
  expect(ops).toContain("mcp:initialize");
  expect(ops.filter((op) => op.startsWith("http:"))).toEqual([]);
  expect(recorded.stdout).toMatch(/enough\n.*timed out\n.*\nnoted \d+\n.*Not connected\n/);
  const { report, stdout } = await replay();
  expect(report).toMatchObject({ verdict: "identical", socketsRefused: 0, findings: [] });
  expect(stdout).toBe(recorded.stdout);
});

test("the server of an agent of OpenAI Agents is not started in a replay", async () => {
  const log = join(store.folder, "server.log");
  const stdio = join(import.meta.dirname, "../../packages/hooks/src/mcp/client/fixtures/server.mjs");
  const command = [process.execPath, join(programs, "agents.mjs"), stdio];
  const run = await store.run(command, { env: { SCRATCH: store.folder } });
  expect(run.summary).toMatchObject({ complete: true });
  const before = readFileSync(log, "utf8");
  expect(before.match(/^add$/gm)).toHaveLength(1);
  const { report, stdout } = await store.replay(run.summary.run as string, command, { env: { SCRATCH: store.folder } });
  expect(report.verdict).toBe("identical");
  expect(stdout).toBe(run.stdout);
  expect(readFileSync(log, "utf8")).toBe(before);
});

test("a client that a server connected before its agents is told in each run, and a replay starts no server", async () => {
  const [address, log] = [join(store.folder, "address"), join(store.folder, "server.log")];
  const stdio = join(import.meta.dirname, "../../packages/hooks/src/mcp/client/fixtures/server.mjs");
  const command = [process.execPath, join(programs, "serving-client.mjs"), address, stdio];
  const served = { env: { SCRATCH: store.folder } };
  const { runs } = await recordServer(store, command, { ...served, address }, getPaths(["1", "2", "3"]));
  expect(runs).toHaveLength(3);
  const before = readFileSync(log, "utf8");
  for (const run of runs) {
    const { report, stderr } = await store.replay(run, command, served);
    expect(report, stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
  }
  const { report } = await store.replay(runs[1] ?? "", [...command, "argument"], served);
  expect(report.divergence).toMatchObject({ verdict: "changed" });
  expect(readFileSync(log, "utf8")).toBe(before);
});

test.each([
  ["argument", "changed"],
  ["less", "missing"],
  ["more", "wrong-tool"],
])("%s: the changed call of a tool is told", async (edit, verdict) => {
  const { report } = await replay(edit);
  expect(report.divergence).toMatchObject({ verdict });
  expect(report.divergence?.cause).toMatch(/wait|think/);
});
