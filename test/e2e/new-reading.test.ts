import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const agent = join(bench.folder, "agent.mjs");

const ASK = `const body = JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hi" }] });
await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST", body, headers: { "content-type": "application/json" } });
`;

test("one reading of the clock more than was recorded: each place that may be the new one is named", async () => {
  const env = { PROVIDER_URL: bench.provider.url };
  const command = [process.execPath, agent];
  writeFileSync(agent, `console.log("begin");\nconst began = Date.now();\n${ASK}`);
  const { summary } = await bench.store.run(command, { env });
  writeFileSync(agent, `console.log("begin", Date.now() > 0);\nconst began = Date.now();\n${ASK}`);
  const { code, report } = await bench.store.replay(summary.run ?? "", command, { env });
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ verdict: "draw", step: null });
  expect(report.divergence?.cause).toMatch(
    /the time where .* before step 1, at .*agent\.mjs:2:\d+ \(or before that, at .*agent\.mjs:1:\d+: the record does not/,
  );
});
