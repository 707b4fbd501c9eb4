import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { joinTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { recordTurns } from "./recorded-run.mjs";
import { median, quantile } from "./statistics.mjs";
import { cpuSeconds } from "./cpu-seconds.mjs";

const bin = fileURLToPath(new URL("../../collector/bin/reenact-collector.js", import.meta.url));
const cli = fileURLToPath(new URL("../bin/reenact.js", import.meta.resolve("reenact")));

/**
 * The whole collector over a folder: recorded runs of so many turns, each sent as one request, received, sealed and
 * packed (large ones as several requests); then single runs read by id; then its catalog made again from the packs. `{ turns, runs, raw, stored, perCpu,
 * rate, byId: { p50, p99 }, rebuilt }`: bytes of a run on the wire and in a pack, MB per CPU-second, MB/s, ms, runs/s.
 */
export async function sealing({ turns, megabytes, reads }) {
  const folder = mkdtempSync(join(process.env.REENACT_BENCH_FOLDER ?? tmpdir(), "sealing-"));
  const template = templateOf(turns);
  const runs = Math.max(8, Math.ceil((megabytes * 1e6) / template.length));
  const config = join(folder, "collector.json");
  const settings = {
    data: join(folder, "data"),
    store: join(folder, "store"),
    listen: { port: 0 },
    pack: { age: "1s" },
  };
  writeFileSync(config, JSON.stringify(settings));
  const child = spawn(process.execPath, [bin, "--config", config], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = await once(child.stdout, "data");
    const { otlpHttp, http = otlpHttp } = JSON.parse(line.toString());
    const before = cpuSeconds(child.pid);
    const began = performance.now();
    const ids = [];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while (ids.length < runs) {
          const { id, requests } = template.another();
          ids.push(id);
          for (const body of requests) await send(http, body);
        }
      }),
    );
    const sealed = await untilSealed(http, runs);
    const seconds = (performance.now() - began) / 1000;
    const cpu = cpuSeconds(child.pid) - before;
    const megs = (ids.length * template.length) / 1e6;
    const times = [];
    for (let n = 0; n < reads; n++)
      times.push(await timeOf(`${http}/api/v1/runs/${ids[(n * 7919) % ids.length]}/envelope`));
    child.kill("SIGTERM");
    await once(child, "exit");
    return {
      turns,
      runs: ids.length,
      raw: template.length,
      stored: sealed / ids.length,
      perCpu: megs / cpu,
      rate: megs / seconds,
      byId: { p50: median(times), p99: quantile(times, 0.99) },
      rebuilt: ids.length / (await rebuildSeconds(config)),
    };
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One recorded run as a request, and copies of it under other ids of the same length. */
function templateOf(turns) {
  const run = recordTurns(turns, "growing");
  const envelope = readEnvelope(readFileSync(run.file));
  run.forget();
  const requests = batchesOf(envelope.spans.map(({ scanned }) => scanned));
  const traces = [...new Set(envelope.spans.map(({ scanned }) => scanned.traceId))];
  return {
    length: requests.reduce((sum, bytes) => sum + bytes.length, 0),
    another() {
      const id = randomBytes(16).toString("hex");
      const ids = [
        [Buffer.from(envelope.header.run, "latin1"), Buffer.from(id, "latin1")],
        ...traces.map((trace) => [Buffer.from(trace, "hex"), randomBytes(16)]),
      ];
      return { id, requests: requests.map((bytes) => renamed(bytes, ids)) };
    },
  };
}

/** Requests of about so many bytes, as a recorder sends them. */
function batchesOf(spans, most = 4e6) {
  const batches = [[]];
  let size = 0;
  for (const span of spans) {
    if (size > most) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1).push(span);
    size += joinTraces([span]).bytes.length;
  }
  return batches.map((batch) => joinTraces(batch).bytes);
}

function renamed(bytes, ids) {
  const copy = Buffer.from(bytes);
  for (const [old, fresh] of ids) replace(copy, old, fresh);
  return copy;
}

function replace(bytes, old, fresh) {
  for (let at = bytes.indexOf(old); at !== -1; at = bytes.indexOf(old, at + old.length)) fresh.copy(bytes, at);
}

async function send(http, body) {
  const headers = { "content-type": "application/x-protobuf" };
  for (;;) {
    const answer = await fetch(`${http}/v1/traces`, { method: "POST", headers, body });
    await answer.arrayBuffer();
    if (answer.status === 200) return;
    if (answer.status !== 503 && answer.status !== 429) throw new Error(`the collector answered ${answer.status}`);
    await sleep(100);
  }
}

/** Bytes of all packs, once all runs are in them. */
async function untilSealed(http, runs) {
  for (const until = Date.now() + 300_000; Date.now() < until; await sleep(50)) {
    const text = await (await fetch(`${http}/metrics`)).text();
    const of = (name) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1] ?? 0);
    if (of("reenact_sealed_runs_total") >= runs && of("reenact_sealing_runs") === 0)
      return of("reenact_stored_bytes_total");
  }
  throw new Error("the runs were not sealed in 5 minutes");
}

async function timeOf(url) {
  const from = performance.now();
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
  return performance.now() - from;
}

async function rebuildSeconds(config) {
  const from = performance.now();
  const child = spawn(process.execPath, [cli, "catalog", "rebuild", "--config", config], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`catalog rebuild ended with ${code}`);
  return (performance.now() - from) / 1000;
}
