import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { createCollector, loadConfig } from "@reenact/collector";
import { expect, onTestFinished, test } from "vitest";
import { startCollector, until } from "../e2e/running-collector.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { goBinary, PROMTOOL } from "./go-binary.ts";
import { golden, madeRun } from "./made-runs.ts";
import { missingS3Server, startS3Server } from "./s3-server.ts";

const rules = join(import.meta.dirname, "../../collector/helm/alerts.yaml");
const promtool = goBinary(PROMTOOL);
const missing =
  promtool === null
    ? "promtool is not installed: node test/services/install.ts promtool"
    : missingS3Server("versitygw");

/** What `/metrics` says, by series. */
type Scrape = ReadonlyMap<string, number>;

async function scrape(http: string): Promise<Scrape> {
  const text = await (await fetch(`${http}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** A minute between two scrapes: ten of the first one, then the second one from the eleventh on. */
const BEFORE = 10;

/** The alerts that Prometheus fires of these two scrapes, so many minutes after the second one; or of one for each minute, from 0 on. */
function firing(before: Scrape, after: Scrape | ((minute: number) => Scrape), minutes: number): string[] {
  const later = Array.from({ length: minutes + 1 }, (_, n) => (typeof after === "function" ? after(n) : after));
  const folder = mkdtempSync(join(tmpdir(), "reenact-alerts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const value = (of: number | undefined) => (of === undefined ? "_" : String(of));
  const names = new Set([before, ...later].flatMap((scraped) => [...scraped.keys()]));
  const series = [...names].map((name) => ({
    series: name,
    values: [
      ...Array<string>(BEFORE).fill(value(before.get(name))),
      ...later.map((scraped) => value(scraped.get(name))),
    ].join(" "),
  }));
  const file = join(folder, "test.json");
  const query = { expr: 'count by (alertname) (ALERTS{alertstate="firing"})', eval_time: `${BEFORE + minutes}m` };
  const tests = [{ interval: "1m", input_series: series, promql_expr_test: [{ ...query, exp_samples: [] }] }];
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: "1m", tests }));
  // nothing is expected, so that what fires is told of as a failure
  const { status, stdout, stderr, error } = spawnSync(promtool!, ["test", "rules", file], { encoding: "utf8" });
  const told = `${stdout}${stderr}`;
  const found = [...told.matchAll(/alertname=\\?"([A-Za-z]+)\\?"/g)].map(([, name]) => name!);
  expect(status, `${error?.message ?? ""}${told}`).toBe(found.length === 0 ? 0 : 1);
  return [...new Set(found)].toSorted();
}

test.skipIf(missing !== null)(
  `alerts fire where they should, and only there${missing === null ? "" : `: ${missing}`}`,
  { timeout: 120_000 },
  async () => {
    const s3 = await startS3Server("versitygw");
    onTestFinished(() => s3.stop());
    process.env["AWS_ACCESS_KEY_ID"] = s3.credentials.accessKeyId;
    process.env["AWS_SECRET_ACCESS_KEY"] = s3.credentials.secretAccessKey;
    const client = new S3Client({ endpoint: s3.endpoint, region: "us-east-1", forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: "runs" }));
    client.destroy();
    const proxy = await startFaultProxy(s3.endpoint);
    onTestFinished(() => proxy.close());
    let answer = 200;
    const destination = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(answer).end());
    });
    await new Promise<void>((resolve) => void destination.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void destination.close());
    const { port } = destination.address() as AddressInfo;
    const collector = await startCollector({
      store: "s3://runs/alerts",
      s3: { endpoint: proxy.endpoint, pathStyle: true, region: "us-east-1" },
      assemble: { settle: 300 },
      forward: [{ name: "viewer", url: `http://127.0.0.1:${port}/v1/traces` }],
    });
    onTestFinished(() => collector.stop());
    const { http } = collector.address;
    const send = async (run: string) => {
      for (const body of madeRun(run)) await collector.send(body);
    };
    const value = async (name: string) => (await scrape(http)).get(name) ?? 0;
    const count = async (name: string, least: number) =>
      until(name, async () => (await value(name)) >= least && scrape(http));
    const DEAD = 'reenact_forward_dead_spans_total{destination="viewer"}';

    await send(golden.id);
    const healthy = await count("reenact_sealed_packs_total", 1);
    expect(firing(healthy, healthy, 90)).toEqual([]);

    // a sender that sends what is no request, once; a destination that refuses what it gets
    answer = 400;
    const bad = await fetch(`${http}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/x-protobuf" },
      body: "no request",
    });
    expect(bad.status).toBe(400);
    await send("1".repeat(32));
    const refused = await count(DEAD, golden.spans.length);
    expect(firing(healthy, refused, 7)).toEqual(["ReenactDeadLetters", "ReenactSenderRefused"]);
    expect(firing(healthy, refused, 30)).toEqual([]);

    // a store that refuses
    answer = 200;
    proxy.fault = () => ({ kind: "status", status: 503, code: "SlowDown" });
    const away = await until("the word of it", async () => (await value("reenact_store_up")) === 0 && scrape(http));
    expect(firing(refused, away, 1)).toEqual(["ReenactStoreAway"]);
    expect(firing(refused, away, 5)).toEqual(["ReenactNotReady", "ReenactStoreAway"]);
    // nobody gives metrics any more
    expect(firing(healthy, new Map(), 15)).toEqual(["ReenactAbsent"]);
    proxy.fault = () => null;
  },
);

test.skipIf(missing !== null)("alerts of a full disk fire", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "reenact-alerts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const given = { data: join(folder, "data"), store: join(folder, "store"), listen: { port: 0 } };
  const config = loadConfig({ env: {}, given: { ...given, limits: { freeDiskBytes: 2 ** 50 }, log: "error" } });
  const full = createCollector(config);
  onTestFinished(() => full.close());
  const { http } = await full.ready;
  const before = await scrape(http);
  const headers = { "content-type": "application/x-protobuf" };
  const answer = await fetch(`${http}/v1/traces`, {
    method: "POST",
    headers,
    body: Buffer.from(madeRun(golden.id)[0]!),
  });
  expect(answer.status).toBe(503);
  const after = await scrape(http);
  expect(firing(before, after, 7)).toEqual([
    "ReenactCommitsLost",
    "ReenactJournalRefuses",
    "ReenactNotReady",
    "ReenactRequestsRefused",
  ]);
});

const MB = 1024 ** 2;
/**
 * Alerts of what takes a broken disk or hours to bring about: a series that a running collector prints, what it has in each minute, and in
 * how many minutes the alert is still silent, and has fired.
 */
const OF_SERIES: readonly [
  alert: string,
  series: string,
  at: (minute: number) => number,
  silent: number,
  fires: number,
][] = [
  ["ReenactCatalogIncomplete", "reenact_catalog_up", () => 0, 29, 31],
  ["ReenactJournalDamaged", "reenact_journal_damaged_bytes", () => 1, -1, 0],
  ["ReenactJournalGrows", "reenact_journal_bytes", (minute) => minute * 100 * MB, 45, 95],
  ["ReenactDiskLow", "reenact_disk_free_bytes", () => 500 * MB, 0, 2],
  ["ReenactPendingHigh", "reenact_pending_bytes", () => 120 * MB, 0, 2],
  ["ReenactSealFails", "reenact_seal_failures_total", () => 1, -1, 1],
  ["ReenactSealWaits", "reenact_sealing_runs", (minute) => 1 + minute, 9, 20],
  ["ReenactSweepFails", "reenact_sweep_failures_total", () => 1, -1, 1],
  ["ReenactForwardLags", 'reenact_forward_lag_seconds{destination="viewer"}', () => 1_000, 4, 6],
  ["ReenactForwardBehind", 'reenact_forward_behind_bytes{destination="viewer"}', () => 3 * 1024 * MB, 4, 6],
  ["ReenactForwardDrops", 'reenact_forward_dropped_spans_total{destination="viewer"}', () => 1, -1, 1],
];

test.skipIf(missing !== null)("each other alert fires alone, in its time", { timeout: 180_000 }, async () => {
  const answers: Buffer[] = [Buffer.alloc(0)];
  const destination = createServer((request, response) => {
    const headers = { "content-type": "application/x-protobuf" };
    request.resume().on("end", () => response.writeHead(200, headers).end(answers.at(-1)));
  });
  await new Promise<void>((resolve) => void destination.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void destination.close());
  const { port } = destination.address() as AddressInfo;
  const forward = [{ name: "viewer", url: `http://127.0.0.1:${port}/v1/traces` }];
  const collector = await startCollector({ forward, assemble: { settle: 300 } });
  onTestFinished(() => collector.stop());
  const read = () => scrape(collector.address.http);
  const reach = (name: string, least: number) =>
    until(name, async () => {
      const scraped = await read();
      return (scraped.get(name) ?? 0) >= least && scraped;
    });
  for (const body of madeRun(golden.id)) await collector.send(body);
  await reach("reenact_sealed_packs_total", 1);
  const healthy = await reach('reenact_forwarded_spans_total{destination="viewer"}', golden.spans.length);

  for (const [alert, series, at, silent, fires] of OF_SERIES) {
    expect(healthy.has(series), series).toBe(true);
    const after = (minute: number) => new Map([...healthy, [series, at(minute)]]);
    if (silent >= 0) expect(firing(healthy, after, silent), `${alert} after ${silent} min`).toEqual([]);
    expect(firing(healthy, after, fires), `${alert} after ${fires} min`).toEqual([alert]);
  }

  // what a destination takes, and says that it has not kept: partial_success with 3 rejected spans
  answers.push(Buffer.from([0x0a, 0x02, 0x08, 0x03]));
  for (const body of madeRun("2".repeat(32))) await collector.send(body);
  const rejected = await reach('reenact_forward_rejected_spans_total{destination="viewer"}', 3);
  expect(firing(healthy, rejected, 1)).toEqual(["ReenactForwardRejected"]);
  answers.pop();

  // a span whose trace id has zeros only
  const [body] = madeRun("0".repeat(32));
  await fetch(`${collector.address.http}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: Buffer.from(body!),
  });
  const invalid = await reach("reenact_rejected_spans_total", 1);
  expect(firing(rejected, invalid, 1)).toEqual(["ReenactSpansRejected"]);

  // a pack that cannot be read: also after the rows of all others were made again
  await collector.restart(async () => {
    await collector.setUp.loseCatalog();
    const packs = globSync("v1/runs/**/*", { cwd: join(collector.folder, "store"), withFileTypes: true });
    const pack = packs.find((each) => each.isFile())!;
    writeFileSync(join(pack.parentPath, pack.name), "no pack");
  });
  const rebuilt = await read();
  expect(rebuilt.get("reenact_catalog_up")).toBe(1);
  expect(firing(healthy, rebuilt, 1)).toEqual(["ReenactPacksUnreadable"]);
});
