import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const command = [process.execPath, join(import.meta.dirname, "../programs/asks-by-variable.mjs")];
const bench = ownBench();

test("a variable that is another now is told; it stays the recorded one unless it is asked for", async () => {
  const env = { PROVIDER_URL: bench.provider.url, MODEL: "echo-random" };
  const { summary } = await bench.store.run(command, { env });
  const run = summary.run ?? "";
  const same = await bench.store.replay(run, command, { env });
  expect(same.report).toMatchObject({ verdict: "identical", notes: [] });

  const other = { PROVIDER_URL: bench.provider.url, MODEL: "secret-plan", QUESTION: "what now?" };
  const unused = await bench.store.replay(run, command, { env: other });
  expect(unused.report.verdict).toBe("identical");
  expect(unused.report.notes).toEqual([
    "environment: as recorded, though it is another here: MODEL, QUESTION (--env <name> takes yours)",
  ]);
  expect(JSON.stringify(unused.report)).not.toContain("secret-plan");

  const used = await bench.store.replay(run, command, { env: other, flags: ["--env", "MODEL"] });
  expect(used.code).toBe(10);
  expect(used.report.findings).toContain("environment-changed");
  expect(used.report.divergence).toMatchObject({ verdict: "params", pointer: "/model" });
  expect(used.report.notes).toContain("environment: not as recorded, but your own: MODEL");
});
