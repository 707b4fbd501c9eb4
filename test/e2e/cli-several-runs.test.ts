import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { Store } from "./reenact.ts";

const program = fileURLToPath(new URL("../programs/refund-desk.mjs", import.meta.url));
const node = fileURLToPath(new URL("../../packages/node/dist/index.js", import.meta.url));
const store = new Store();
const runs: string[] = [];

beforeAll(async () => {
  const provider = await startProvider();
  const folder = join(store.folder, "program");
  mkdirSync(folder);
  const file = join(folder, "desk.mjs");
  copyFileSync(program, file);
  const source = readFileSync(file, "utf8").replace("@reenact/node", node);
  const edited = source
    .replace("const amount = 90", "const amount = 9")
    .replace("  return last;", "  await refund({ order: 1 });\n  return last;");
  for (const text of [source, source, edited]) {
    writeFileSync(file, text);
    const { summary } = await store.run([process.execPath, file], { env: { PROVIDER_URL: provider.url } });
    runs.push(summary.run ?? "");
  }
  await provider.stop();
}, 60_000);
afterAll(() => store.remove());

test("an edited agent is compared with itself step by step, the first difference on top", async () => {
  const { stdout, code } = await store.command("diff", runs[1] ?? "", runs[2] ?? "");
  expect(code).toBe(0);
  const lines = stdout.split("\n");
  expect(lines[0]).toBe(`${runs[1]?.slice(0, 6)} desk → ${runs[2]?.slice(0, 6)} desk`);
  expect(lines[1]).toMatch(/^first difference: step \d/);
  expect(stdout).toMatch(/~ 2 {2}TOOL refund\n {4}input at \/amount: 90 → 9\n/);
  expect(stdout).toMatch(/\+ – → 4 {2}TOOL refund\n/);
  expect(stdout).toMatch(/steps: 3 → 4/);
});

test("a run is the same as itself, as text and as data", async () => {
  const same = await store.command("diff", runs[0] ?? "", runs[0] ?? "", "--all");
  expect(same.stdout).toMatch(/no step differs\n= 1 {2}LLM chat\n= 2 {2}TOOL refund\n= 3 /);
  const json = JSON.parse((await store.command("diff", runs[0] ?? "", runs[2] ?? "", "--json")).stdout) as object;
  expect(json).toMatchObject({ schemaVersion: 1, before: { run: runs[0] }, after: { run: runs[2] } });
});

test("prune deletes what it is told to, and says it before with --dry-run", async () => {
  const nothing = await store.command("prune");
  expect([nothing.code, nothing.stderr]).toEqual([3, expect.stringContaining("nothing says which runs")]);
  const young = await store.command("prune", "--older-than", "1h");
  expect(young.stderr).toBe("deleted 0 runs\n");
  const dry = await store.command("prune", "--keep-last", "1", "--dry-run", "--json");
  expect(JSON.parse(dry.stdout)).toMatchObject({
    deleted: [],
    wouldDelete: expect.arrayContaining([runs[0]]) as unknown,
  });
  expect(existsSync(store.path(runs[0] ?? ""))).toBe(true);
  await store.command("prune", "--keep-last", "1");
  expect(runs.map((run) => existsSync(store.path(run)))).toEqual([false, false, true]);
});

test("a run that is not there is named", async () => {
  const { code, stderr } = await store.command("diff", runs[2] ?? "", "ffffffff");
  expect([code, stderr]).toEqual([3, expect.stringContaining("no run ffffffff")]);
});
