import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";

const folder = mkdtempSync(join(tmpdir(), "new-reading-"));
const agent = join(folder, "agent.mjs");
const store = new Store();
let provider: ChildProvider;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

const ASK = `const body = JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hi" }] });
await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST", body, headers: { "content-type": "application/json" } });
`;

test("one reading of the clock more than was recorded: each place that may be the new one is named", async () => {
  const env = { PROVIDER_URL: provider.url };
  const command = [process.execPath, agent];
  writeFileSync(agent, `console.log("begin");\nconst began = Date.now();\n${ASK}`);
  const { summary } = await store.run(command, { env });
  writeFileSync(agent, `console.log("begin", Date.now() > 0);\nconst began = Date.now();\n${ASK}`);
  const { code, report } = await store.replay(summary.run ?? "", command, { env });
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ verdict: "draw", step: null });
  expect(report.divergence?.cause).toMatch(
    /the time where .* before step 1, at .*agent\.mjs:2:\d+ \(or before that, at .*agent\.mjs:1:\d+: the record does not/,
  );
});
