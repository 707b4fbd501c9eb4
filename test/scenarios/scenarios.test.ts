import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { runScenario } from "./run-scenario.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";
import { seeScenario } from "./seen-scenario.ts";

const require = createRequire(import.meta.url);

describe.each(["openai", "anthropic", "clients"] as const)("%s", (sdk) => {
  test("the table names every scenario of the program, once", () => {
    const { scenarios } = require(`./${sdk}-scenarios.cjs`) as { scenarios: Record<string, unknown> };
    const named = SCENARIOS.filter((scenario) => scenario.sdk === sdk).map((scenario) => scenario.name);
    expect(named.toSorted()).toEqual(Object.keys(scenarios).toSorted());
  });
});

describe("the programs, without a recorder", { timeout: 60_000 }, () => {
  const chosen = SCENARIOS.filter(({ name }) => ["parallel-streams", "break", "cut", "got-retry"].includes(name));
  test.each(chosen)("$sdk $name prints the same from ESM and CJS", async (scenario: Scenario) => {
    const [esm, cjs] = [
      await seeScenario(scenario, { format: "mjs", cwd: tmpdir() }),
      await seeScenario(scenario, { format: "cjs", cwd: tmpdir() }),
    ];
    expect(esm.seen).toMatchObject({ exitCode: 0 });
    expect(esm.seen.requests).toHaveLength(scenario.requests);
    expect(cjs.seen).toEqual(esm.seen);
  });

  test("an unknown scenario ends with 2", async () => {
    const unknown = { ...(SCENARIOS[0] as Scenario), name: "none" };
    const run = await runScenario(unknown, { format: "mjs", url: null, cwd: tmpdir() });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain("no scenario none");
  });
});
