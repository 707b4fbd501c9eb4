import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { type OtlpReceiver, startReceiver } from "./otlp-receiver.ts";
import { Store } from "./reenact.ts";

const command = [process.execPath, join(import.meta.dirname, "../programs/exports-telemetry.mjs")];
const logs = mkdtempSync(join(tmpdir(), "telemetry-"));
const store = new Store();
let provider: ChildProvider;
let receiver: OtlpReceiver;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
  receiver = await startReceiver();
});

afterAll(async () => {
  await Promise.all([provider.stop(), receiver.stop()]);
  store.remove();
  rmSync(logs, { recursive: true, force: true });
});

test("what an agent's own OpenTelemetry exports is served, and is no divergence when it says something else", async () => {
  const env = { PROVIDER_URL: provider.url, TELEMETRY_URL: receiver.url };
  const { summary } = await store.run(command, { env });
  const run = summary.run ?? "";
  expect(receiver.requests).toHaveLength(1);

  const same = await store.replay(run, command, { env });
  expect(same.report).toMatchObject({ verdict: "identical", recorded: 2, notes: [] });

  const other = await store.replay(run, command, { env: { ...env, NOTE: "edited" }, flags: ["--env", "NOTE"] });
  expect(other.report).toMatchObject({ verdict: "identical", recorded: 2 });
  expect(other.report.findings).toContain("ignored-changed");
  expect(other.report.notes).toContain("step 2 exports other telemetry than was recorded; that is not compared");
  expect(receiver.requests).toHaveLength(1);
});

test("of a body that is no text it says from which byte on it differs", async () => {
  const env = { PROVIDER_URL: provider.url, TELEMETRY_URL: receiver.url, UPLOAD: "ff00fe01" };
  const { summary } = await store.run(command, { env });
  const { code, report } = await store.replay(summary.run ?? "", command, {
    env: { ...env, UPLOAD: "ff00fe0203" },
    flags: ["--env", "UPLOAD"],
  });
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({
    step: 3,
    verdict: "changed",
    cause: expect.stringContaining("differs at its body"),
    recorded: "4 bytes, different from byte 3 on",
    now: "5 bytes, different from byte 3 on",
  });
});
