import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";
import { type Trial, tryOut } from "./trial.ts";

const bench = ownBench();
const tried = (program: string, more: Partial<Trial> = {}) =>
  tryOut(bench.store, { program, env: { PROVIDER_URL: bench.provider.url }, ...more });

test.for(["killed-generator", "killed-stream"])("%s: what the program acted on is given again", async (program) => {
  const { recorded, replayed } = await tried(program);
  expect(recorded.stdout.split("\n")).toHaveLength(4);
  expect(replayed.stdout).toBe(recorded.stdout);
  expect(replayed.report).toMatchObject({ divergence: null, missing: 0 });
  expect(replayed.report.findings).toContain("truncated-recording");
  expect(replayed.code).toBe(11);
});

test.for([
  { program: "killed-beside-streams", given: "" },
  { program: "killed-large-values", given: "value 0\n" },
  { program: "killed-large-values", args: ["sync"], given: "value 0\n" },
  { program: "killed-at-first-value", given: "begun\n" },
])("$program $args: a replay ends where a value was not written", async ({ program, args = [], given }) => {
  const { recorded, replayed } = await tried(program, { args });
  expect(recorded.stdout.length).toBeGreaterThan(given.length);
  expect(replayed.stdout).toBe(given);
  expect(replayed.report).toMatchObject({ divergence: null });
  expect(replayed.report.findings).toContain("truncated-recording");
  expect(replayed.report.stopped).toMatchObject({ reason: "recording-ends" });
});

test("an edit is found in what a killed process left", async () => {
  const { replayed } = await tried("killed-generator", { changed: ["reworded"] });
  expect(replayed.report.divergence).toMatchObject({ step: 3, verdict: "changed" });
});
