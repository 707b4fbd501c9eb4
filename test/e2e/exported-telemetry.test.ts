import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";
import { type OtlpReceiver, startReceiver } from "./otlp-receiver.ts";
import { startCollector } from "./running-collector.ts";

/** As the package has it: spans are gathered by a hook of the client, and sent when a timer or a flush says so. */
const SENTRY = `
class Client {
  hooks = {};
  sent = [];
  on(hook, heard) {
    (this.hooks[hook] ??= []).push(heard);
  }
  emit(hook, ...rest) {
    this.hooks[hook]?.forEach((heard) => heard(...rest));
  }
  async sendEnvelope(envelope) {
    const sending = fetch(process.env.SENTRY_URL, { method: "POST", body: envelope });
    this.sent.push(sending);
    return (await sending).status;
  }
  async flush() {
    this.emit("flush");
    await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all(this.sent);
    return true;
  }
}
exports.Client = Client;
`;

const SENTRY_AGENT = `
import { subscribe } from "node:diagnostics_channel";
import { Client } from "@sentry/core/build/cjs/client.js";
const client = new Client();
let spans = [];
let timer;
const send = () => {
  clearTimeout(timer);
  if (spans.length > 0) void client.sendEnvelope(spans.splice(0).join());
};
client.on("afterSpanEnd", (span) => {
  spans.push(span);
  timer ??= setTimeout(send, 5000).unref();
});
client.on("flush", send);
subscribe("undici:request:create", ({ request }) => {
  if (request.path.startsWith("/v1/")) client.emit("afterSpanEnd", "connection");
});
const body = JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hello" }] });
const headers = { "content-type": "application/json" };
const url = process.env.PROVIDER_URL + "/v1/chat/completions";
console.log(await (await fetch(url, { method: "POST", headers, body })).text());
client.emit("afterSpanEnd", "own");
await new Promise((resolve) => setTimeout(resolve, 20));
console.log(await client.flush());
`;

const command = [process.execPath, join(import.meta.dirname, "../programs/exports-telemetry.mjs")];
const bench = ownBench();
const { folder, store } = bench;
let receiver: OtlpReceiver;

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(() => receiver.stop());

test("what an agent's own OpenTelemetry exports goes out as ever, is no step, and nowhere in a replay", async () => {
  const env = { PROVIDER_URL: bench.provider.url, TELEMETRY_URL: receiver.url };
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
    const env = { PROVIDER_URL: bench.provider.url, TELEMETRY_URL: collector.address.grpc ?? "", PROTOCOL: "grpc" };
    const { summary, stdout } = await store.run(command, { env });
    expect(stdout.trim().split("\n")).toHaveLength(1);
    const { report } = await store.replay(summary.run ?? "", command, { env });
    expect(report).toMatchObject({ verdict: "identical", recorded: 1, refusals: [], socketsRefused: 0 });
  } finally {
    await collector.stop();
  }
});

test.each(["http", "grpc"])("an export that failed, over %s, has failed in a replay too", async (PROTOCOL) => {
  const env = { PROVIDER_URL: bench.provider.url, TELEMETRY_URL: "http://127.0.0.1:1", PROTOCOL };
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
      PROVIDER_URL: bench.provider.url,
      TELEMETRY_URL: own.url,
      CONNECTIONS: "1",
      OTEL_METRICS_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://127.0.0.1:${(measures.address() as AddressInfo).port}/v1/metrics`,
    };
    const { summary } = await store.run(command, { env });
    expect(own.requests.flatMap(({ spans }) => spans).length).toBeGreaterThanOrEqual(2);
    expect([own.requests.length, measured]).toEqual([1, 1]);
    const { report } = await store.replay(summary.run ?? "", command, { env });
    expect(report).toMatchObject({ verdict: "identical", recorded: 1, refusals: [], socketsRefused: 0 });
    expect([own.requests.length, measured]).toEqual([1, 1]);
  } finally {
    measures.close();
    await own.stop();
  }
});

test("what an agent's Sentry client gathers and sends goes out as ever, is no step, and nowhere in a replay", async () => {
  const core = join(folder, "node_modules/@sentry/core");
  mkdirSync(join(core, "build/cjs"), { recursive: true });
  writeFileSync(join(core, "package.json"), '{ "name": "@sentry/core" }');
  writeFileSync(join(core, "build/cjs/client.js"), SENTRY);
  writeFileSync(join(folder, "agent.mjs"), SENTRY_AGENT);
  const sent: string[] = [];
  const sentry = createServer((request, response) => {
    void text(request).then((body) => {
      sent.push(body);
      response.end();
    });
  });
  await once(sentry.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = sentry.address() as AddressInfo;
    const options = { cwd: folder, env: { PROVIDER_URL: bench.provider.url, SENTRY_URL: `http://127.0.0.1:${port}/` } };
    const agent = [process.execPath, "agent.mjs"];
    const { summary, stdout } = await store.run(agent, options);
    expect(stdout).toMatch(/\ntrue\n$/);
    expect([sent, summary]).toMatchObject([["connection,own"], { steps: 1, complete: true }]);
    const { report, stdout: again } = await store.replay(summary.run ?? "", agent, options);
    expect(report).toMatchObject({ verdict: "identical", recorded: 1, refusals: [], socketsRefused: 0 });
    expect(again).toBe(stdout);
    expect(sent).toHaveLength(1);
  } finally {
    sentry.close();
  }
});

test("of a body that is no text it says from which byte on it differs, unless it is telemetry by what is in it", async () => {
  const env = {
    PROVIDER_URL: bench.provider.url,
    TELEMETRY_URL: receiver.url,
    UPLOAD: "ff00fe01",
    UPLOAD_PATH: "/upload",
  };
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

  const unread = { ...env, UPLOAD_PATH: "/v1/traces" };
  const sent = await store.run(command, { env: unread });
  const again = await store.replay(sent.summary.run ?? "", command, { env: { ...unread, ...change }, flags });
  expect(again.report).toMatchObject({ verdict: "diverged", divergence: { step: 2, verdict: "changed" } });

  const spans = (n: number): string =>
    Buffer.from(`\u00ff\u0001service.name agent telemetry.sdk.language nodejs ${n}`, "latin1").toString("hex");
  const bundled = { ...unread, UPLOAD: spans(1) };
  const exported = await store.run(command, { env: bundled });
  const edited = { ...bundled, UPLOAD: spans(2) };
  const other = await store.replay(exported.summary.run ?? "", command, { env: edited, flags });
  expect(other.report).toMatchObject({ verdict: "identical", recorded: 2 });
  expect(other.report.findings).toContain("noted-difference");
  expect(other.report.notes).toContainEqual(expect.stringMatching(/^telemetry for OTLP differs/));

  const own = { ...env, UPLOAD_PATH: "/v1/logs", UPLOAD: Buffer.from('{"order":17}').toString("hex") };
  const told = await store.run(command, { env: own });
  const changed = { ...own, UPLOAD: Buffer.from('{"order":18}').toString("hex") };
  const compared = await store.replay(told.summary.run ?? "", command, { env: changed, flags });
  expect(compared.report).toMatchObject({ verdict: "diverged", divergence: { step: 2, verdict: "changed" } });
});
