import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";

const root = join(import.meta.dirname, "../..");
const preload = join(root, "test/programs/host-on-loopback.mjs");
const program = join(root, "test/programs/compatible-hosts/agent.mjs");

let store: Store;
beforeAll(() => {
  store = new Store();
});
afterAll(() => store.remove());

test.each([
  ["groq", "api.groq.com", "", "groq"],
  ["together", "api.together.ai", "/v1", "together"],
  ["azure", "team.openai.azure.com", "", "azure"],
  ["openai", "openrouter.ai", "/api/v1", "openrouter"],
  ["openai", "api.x.ai", "/v1", "xai"],
  ["openai", "api.deepseek.com", "", "deepseek"],
  ["openai", "models.of-a-team.example", "/any/path", null],
])("%s at %s is recorded under its vendor and replays without it", async (sdk, host, base, vendor) => {
  const provider = await startChildProvider({ log: join(store.folder, `${host}.jsonl`) });
  const env = { PROVIDER_URL: `http://${host}:${provider.port}`, LOOPBACK_HOST: host };
  const command = [process.execPath, "--import", preload, program, sdk, base];
  const recorded = await store.run(command, { env });
  await provider.stop();
  expect(recorded.stderr).not.toContain("Error");
  expect({ code: recorded.code, complete: recorded.summary.complete }).toEqual({ code: 0, complete: true });

  const run = recorded.summary.run as string;
  const steps = readEnvelope(readFileSync(store.path(run))).steps;
  const requests = provider.log().filter(({ event }) => event === "request");
  expect(requests.length).toBeGreaterThanOrEqual(6);
  expect(steps.map(({ record }) => record.op)).toEqual(requests.map(() => "openai.chat"));
  const answered = steps.filter(({ span }) => span.attributes["llm.token_count.total"] !== undefined);
  expect(answered.length).toBeGreaterThanOrEqual(3);
  expect(new Set(answered.map(({ span }) => span.attributes["llm.provider"] ?? null))).toEqual(new Set([vendor]));

  const replayed = await store.replay(run, command, { env });
  expect(replayed.report.verdict, replayed.stderr).toBe("identical");
  expect(replayed.stdout).toBe(recorded.stdout);
});
