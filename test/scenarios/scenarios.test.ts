import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maskChance } from "../../examples/scripted-provider/serial.ts";
import { startProvider } from "../provider/start-provider.ts";
import { runScenario } from "./run-scenario.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

const require = createRequire(import.meta.url);

describe.each(["openai", "anthropic"] as const)("%s", (sdk) => {
  test("the table names every scenario of the program, once", () => {
    const { scenarios } = require(`./${sdk}-scenarios.cjs`) as { scenarios: Record<string, unknown> };
    const named = SCENARIOS.filter((scenario) => scenario.sdk === sdk).map((scenario) => scenario.name);
    expect(named.toSorted()).toEqual(Object.keys(scenarios).toSorted());
  });
});

describe("the programs, without a recorder", () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(async () => {
    await provider.stop();
  });

  const chosen = SCENARIOS.filter(({ name }) => ["parallel-streams", "break", "cut"].includes(name));
  test.each(chosen)("$sdk $name prints the same from ESM and CJS", async (scenario: Scenario) => {
    const outputs: string[] = [];
    for (const format of ["mjs", "cjs"] as const) {
      const before = provider.log.length;
      const run = await runScenario(scenario, { format, url: provider.url, cwd: tmpdir() });
      expect(run).toMatchObject({ exitCode: 0 });
      outputs.push(maskChance(run.stdout));
      const requests = provider.log.slice(before).filter((entry) => entry.event === "request");
      expect(requests).toHaveLength(scenario.requests);
    }
    expect(outputs[1]).toBe(outputs[0]);
  });

  test("an unknown scenario ends with 2", async () => {
    const unknown = { ...(SCENARIOS[0] as Scenario), name: "none" };
    const run = await runScenario(unknown, { format: "mjs", url: provider.url, cwd: tmpdir() });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain("no scenario none");
  });
});
