import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, expect, test } from "vitest";
import { sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { openStore } from "../store/open-store.ts";
import { openWorkbench, type Workbench } from "./workbench.test.fixture.ts";

const level = process.env["TEST_SCALE"] ?? "small";
const steps = level === "full" ? 100_000 : 3_000;
const bytes = level === "full" ? 1_000_000_000 : 24_000_000;

let bench: Workbench;
let folder: string;
afterEach(async () => {
  await bench.close();
  rmSync(folder, { recursive: true });
});

async function sealOne(options: Parameters<typeof sampleRun>[1], batch: number) {
  folder = mkdtempSync(join(tmpdir(), "reenact-large-"));
  const { store } = await openStore(folder);
  bench = await openWorkbench({ thread: true, store });
  const run = sampleRun(1, options);
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
  for (let at = 0; at < run.steps.length; at += batch) await bench.send(run.steps.slice(at, at + batch));
  await bench.send([run.root]);
  const began = performance.now();
  const before = process.cpuUsage();
  await bench.pass(0, 500_000);
  clearInterval(watch);
  const { user, system } = process.cpuUsage(before);
  const row = (await bench.catalog.get("acme", run.run))!;
  process.stderr.write(
    `seal: ${run.steps.length} steps, ${(row.parts[0]!.length / 1e6).toFixed(1)} MB packed, ` +
      `${((performance.now() - began) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} CPU s, peak rss ${(peak / 1e6).toFixed(0)} MB\n`,
  );
  expect(row).toMatchObject({ complete: true, steps: run.steps.length, revision: 0 });
  return row.parts[0]!;
}

test(`a run of ${steps} steps`, { timeout: 600_000 }, async () => {
  const part = await sealOne({ steps }, 1_000);
  const envelope = readEnvelope(await bench.store.getRange(part.key, part.offset, part.length));
  expect(envelope.spans).toHaveLength(steps + 1);
});

test(`a run of ${bytes / 1e6} MB that does not compress`, { timeout: 600_000 }, async () => {
  const size = 4_000_000;
  const text = () => randomBytes((size * 3) / 4).toString("base64");
  const part = await sealOne({ steps: Math.ceil(bytes / size), text }, 4);
  expect(part.length).toBeGreaterThan(bytes * 0.7);
});
