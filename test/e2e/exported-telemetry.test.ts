import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { type OtlpReceiver, startReceiver } from "./otlp-receiver.ts";
import { Store } from "./reenact.ts";
import { startCollector } from "./running-collector.ts";

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

test("what an agent's own OpenTelemetry exports goes out as ever, is no step, and nowhere in a replay", async () => {
  const env = { PROVIDER_URL: provider.url, TELEMETRY_URL: receiver.url };
  const { summary, stdout } = await store.run(command, { env });
  const run = summary.run ?? "";
  expect(receiver.requests.flatMap(({ spans }) => spans)).toHaveLength(1);
  expect(summary).toMatchObject({ steps: 1, complete: true });

  const same = await store.replay(run, command, { env });
  expect(same.report).toMatchObject({ verdict: "identical", recorded: 1, notes: [] });
  expect(same.stdout).toBe(stdout);
  const other = await store.replay(run, command, { env: { ...env, NOTE: "edited" }, flags: ["--env", "NOTE"] });
  expect(other.report).toMatchObject({ verdict: "identical", recorded: 1, refusals: [] });
  expect(receiver.requests).toHaveLength(1);
});

test("the same over gRPC, which no step could hold", async () => {
  const collector = await startCollector({ listen: { port: 0, grpcPort: 0 } });
  try {
    const env = { PROVIDER_URL: provider.url, TELEMETRY_URL: collector.address.grpc ?? "", PROTOCOL: "grpc" };
    const { summary, stdout } = await store.run(command, { env });
    expect(stdout.trim().split("\n")).toHaveLength(1);
    const { report } = await store.replay(summary.run ?? "", command, { env });
    expect(report).toMatchObject({ verdict: "identical", recorded: 1, refusals: [], sockets: 0 });
  } finally {
    await collector.stop();
  }
});

test.each(["http", "grpc"])("an export that failed, over %s, has failed in a replay too", async (PROTOCOL) => {
  const env = { PROVIDER_URL: provider.url, TELEMETRY_URL: "http://127.0.0.1:1", PROTOCOL };
  const { summary, stdout } = await store.run(command, { env });
  expect(stdout).toContain("ECONNREFUSED");
  const { report, stdout: again } = await store.replay(summary.run ?? "", command, { env });
  expect(again).toBe(stdout);
  expect(report).toMatchObject({ verdict: "identical", recorded: 1, refusals: [] });
});

test("spans and measures of connections, which only a recording has, change nothing in its order", async () => {
  const own = await startReceiver();
  let measured = 0;
  const measures = createServer(
    (request, response) => void request.resume().on("end", () => response.end(String(++measured))),
  );
  await once(measures.listen(0, "127.0.0.1"), "listening");
  try {
    const env = {
      PROVIDER_URL: provider.url,
      TELEMETRY_URL: own.url,
      CONNECTIONS: "1",
      OTEL_METRICS_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://127.0.0.1:${(measures.address() as AddressInfo).port}/v1/metrics`,
    };
    const { summary } = await store.run(command, { env });
    expect(own.requests.flatMap(({ spans }) => spans).length).toBeGreaterThanOrEqual(2);
    expect([own.requests.length, measured]).toEqual([1, 1]);
    const { report } = await store.replay(summary.run ?? "", command, { env });
    expect(report).toMatchObject({ verdict: "identical", recorded: 1, refusals: [], sockets: 0 });
    expect([own.requests.length, measured]).toEqual([1, 1]);
  } finally {
    measures.close();
    await own.stop();
  }
});

test("of a body that is no text it says from which byte on it differs, unless it is telemetry by its path", async () => {
  const env = { PROVIDER_URL: provider.url, TELEMETRY_URL: receiver.url, UPLOAD: "ff00fe01", UPLOAD_PATH: "/upload" };
  const change = { UPLOAD: "ff00fe0203" };
  const { summary } = await store.run(command, { env });
  const flags = ["--env", "UPLOAD"];
  const { code, report } = await store.replay(summary.run ?? "", command, { env: { ...env, ...change }, flags });
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({
    step: 2,
    verdict: "changed",
    cause: expect.stringContaining("differs at its body"),
    recorded: "4 bytes, different from byte 3 on",
    now: "5 bytes, different from byte 3 on",
  });

  const bundled = { ...env, UPLOAD_PATH: "/v1/traces" };
  const exported = await store.run(command, { env: bundled });
  const other = await store.replay(exported.summary.run ?? "", command, { env: { ...bundled, ...change }, flags });
  expect(other.report).toMatchObject({ verdict: "identical", recorded: 2 });
  expect(other.report.findings).toContain("ignored-changed");
  expect(other.report.notes).toContain("not compared: what step 2 sends as telemetry is other than was recorded");
});
