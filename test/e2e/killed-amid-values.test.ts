import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import { tryOut } from "./trial.ts";

const folder = mkdtempSync(join(tmpdir(), "killed-amid-values-"));
const store = new Store();
let provider: ChildProvider;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

test.for(["killed-generator", "killed-stream"])("%s: what the program acted on is given again", async (program) => {
  const { recorded, replayed } = await tryOut(store, { program, env });
  expect(recorded.stdout.split("\n")).toHaveLength(4);
  expect(replayed.stdout).toBe(recorded.stdout);
  expect(replayed.report).toMatchObject({ divergence: null, missing: 0 });
  expect(replayed.report.findings).toContain("truncated-recording");
  expect(replayed.code).toBe(11);
});

test("a replay ends where the values of a killed process were not written yet", async () => {
  const { recorded, replayed } = await tryOut(store, { program: "killed-beside-streams", env });
  expect(recorded.stdout).toContain("beside");
  expect(recorded.stdout.startsWith(replayed.stdout)).toBe(true);
  expect(replayed.report).toMatchObject({ divergence: null });
  expect(replayed.report.findings).toContain("truncated-recording");
});

test("an edit is found in what a killed process left", async () => {
  const { replayed } = await tryOut(store, { program: "killed-generator", changed: ["reworded"], env });
  expect(replayed.report.divergence).toMatchObject({ step: 3, verdict: "changed" });
});
