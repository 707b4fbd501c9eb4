import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildReceiver } from "./build-receiver.mjs";
import { median } from "./statistics.mjs";
import { cpuSeconds } from "./cpu-seconds.mjs";

const CONNECTIONS = 4;
const load = fileURLToPath(new URL("ingest-load.mjs", import.meta.url));
const program = fileURLToPath(new URL("../../collector/bin/reenact-collector.js", import.meta.url));
const CASES = [
  [2 ** 20, "plain"],
  [2 ** 16, "plain"],
  [2 ** 20, "gzip"],
  [2 ** 16, "gzip"],
];

const rssMiB = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
const pinned = (core, command) => ["taskset", ["-c", String(core), ...command]];

async function startOurs(receiver, folder) {
  const command = [process.execPath, receiver, folder, "2"];
  const child = spawn(...pinned(0, command), { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  return { child, ...JSON.parse(line.toString()) };
}

/** The program as it is: receive, journal, assemble. Runs stay open, so that nothing is sealed while it is measured. */
async function startWhole(folder) {
  const config = join(folder, "collector.json");
  const given = { data: join(folder, "data"), store: join(folder, "store"), listen: { port: 0 }, log: "error" };
  writeFileSync(config, JSON.stringify({ ...given, assemble: { settle: "1h", idle: "1h" } }));
  const child = spawn(...pinned(0, [process.execPath, program, "--config", config]), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const { http, pid } = JSON.parse(line.toString());
  return { child, url: http, pid };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** `file`: its file exporter, which never syncs; `queue`: its persistent queue with fsync, to a receiver that drops. */
async function startOtelcol(otelcol, folder, kind) {
  const port = await freePort();
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}`, max_request_body_size: 2 ** 26 } } } },
    exporters:
      kind === "file"
        ? { file: { path: join(folder, "traces"), rotation: { max_megabytes: 128, max_backups: 1 }, format: "proto" } }
        : {},
    service: {
      telemetry: { metrics: { level: "none" }, logs: { level: "error" } },
      pipelines: { traces: { receivers: ["otlp"], exporters: [] } },
    },
  };
  if (kind === "queue") {
    config.extensions = { file_storage: { directory: folder, fsync: true } };
    config.exporters.otlp_http = {
      endpoint: `http://127.0.0.1:${await freePort()}`,
      sending_queue: { storage: "file_storage", queue_size: 1_000_000 },
    };
    config.service.extensions = ["file_storage"];
  }
  config.service.pipelines.traces.exporters = Object.keys(config.exporters);
  const path = join(folder, "config.yaml");
  // JSON is YAML
  writeFileSync(path, JSON.stringify(config));
  const command = [otelcol, "--config", path];
  const child = spawn(...pinned(0, command), { stdio: "ignore", env: { ...process.env, GOMAXPROCS: "1" } });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    await sleep(100);
    if (await fetch(url).catch(() => null)) break;
  }
  return { child, url, pid: child.pid };
}

async function measure(start, { size, packing, seconds }) {
  const folder = mkdtempSync(join(process.env.REENACT_BENCH_FOLDER ?? tmpdir(), "ingest-"));
  const server = await start(folder);
  const ask = (time) => {
    const [file, args] = pinned(1, [process.execPath, load, server.url, size, packing, CONNECTIONS, time].map(String));
    const { stdout, stderr, status } = spawnSync(file, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  try {
    ask(Math.min(1, seconds / 2));
    const before = cpuSeconds(server.pid);
    const result = ask(seconds);
    const cpu = cpuSeconds(server.pid) - before;
    return {
      ...result,
      perCpu: result.bytes / 1e6 / cpu,
      rate: result.bytes / 1e6 / result.seconds,
      rss: rssMiB(server.pid),
    };
  } finally {
    server.child.kill("SIGKILL");
    await once(server.child, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What an acknowledged megabyte costs: one load generator, servers asked in turn, processor time of the whole server
 * process, each on its own core. Ours is receiver and journal alone, then the program that assembles runs too; both answer
 * after fdatasync. `otelcol`: the program
 * of an OpenTelemetry Collector to compare with, or null. Medians, `{ bodies, server, perCpu, rate, p50, p99, rss }` in
 * MB per CPU-second, MB/s, ms, MiB.
 */
export async function ingest({ seconds, pairs, otelcol }) {
  const receiver = await buildReceiver();
  const servers = { ours: (folder) => startOurs(receiver, folder), "ours, the whole program": startWhole };
  if (otelcol !== null) {
    servers["otelcol, file exporter, no sync"] = (folder) => startOtelcol(otelcol, folder, "file");
    servers["otelcol, persistent queue, fsync"] = (folder) => startOtelcol(otelcol, folder, "queue");
  }
  const rows = [];
  for (const [size, packing] of CASES) {
    const results = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
    for (let pair = 0; pair < pairs; pair++) {
      for (const [name, start] of Object.entries(servers))
        results[name].push(await measure(start, { size, packing, seconds }));
    }
    for (const [server, all] of Object.entries(results)) {
      const of = (key) => median(all.map((each) => each[key]));
      const bodies = `${size / 1024} KB ${packing}`;
      rows.push({
        bodies,
        server,
        perCpu: of("perCpu"),
        rate: of("rate"),
        p50: of("p50"),
        p99: of("p99"),
        rss: of("rss"),
      });
    }
  }
  return rows;
}
