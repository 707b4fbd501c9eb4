// ingest.mjs [--seconds n] [--pairs n] [--peer <program that listens, see peers below>]: what an acknowledged megabyte
// costs. One load generator, servers asked in turn, CPU time of the whole server process, each on its own core.
// Ours answers after fdatasync. REENACT_OTELCOL names an OpenTelemetry Collector to compare with.
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

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const seconds = option("seconds", 4);
const pairs = option("pairs", 5);
const connections = option("connections", 4);
const receiver = await buildReceiver();
const load = fileURLToPath(new URL("ingest-load.mjs", import.meta.url));
const CASES = [
  [2 ** 20, "plain"],
  [2 ** 16, "plain"],
  [2 ** 20, "gzip"],
  [2 ** 16, "gzip"],
];

/** Seconds that a process has had a processor, all its threads. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const rssMiB = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
const pinned = (core, command) => ["taskset", ["-c", String(core), ...command]];

async function startOurs(folder) {
  const command = [process.execPath, receiver, folder, "2"];
  const child = spawn(...pinned(0, command), { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  return { child, ...JSON.parse(line.toString()) };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** `file`: its file exporter, which never syncs; `queue`: its persistent queue with fsync, to a receiver that drops. */
async function startOtelcol(folder, kind) {
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
  const command = [process.env.REENACT_OTELCOL, "--config", path];
  const child = spawn(...pinned(0, command), { stdio: "ignore", env: { ...process.env, GOMAXPROCS: "1" } });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    await sleep(100);
    if (await fetch(url).catch(() => null)) break;
  }
  return { child, url, pid: child.pid };
}

async function measure(start, size, packing) {
  const folder = mkdtempSync(join(process.env.REENACT_BENCH_FOLDER ?? tmpdir(), "ingest-"));
  const server = await start(folder);
  const ask = (time) => {
    const [file, args] = pinned(1, [process.execPath, load, server.url, size, packing, connections, time].map(String));
    const { stdout, stderr, status } = spawnSync(file, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  try {
    ask(1);
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

const servers = { ours: startOurs };
if (process.env.REENACT_OTELCOL) {
  servers["otelcol file"] = (folder) => startOtelcol(folder, "file");
  servers["otelcol queue"] = (folder) => startOtelcol(folder, "queue");
}

const print = (cells) => process.stdout.write(`| ${cells.join(" | ")} |\n`);
print(["bodies", "server", "MB per CPU-second", "MB/s", "p50 ms", "p99 ms", "RSS MiB"]);
print(["---", "---", "---:", "---:", "---:", "---:", "---:"]);
for (const [size, packing] of CASES) {
  const results = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  for (let pair = 0; pair < pairs; pair++) {
    for (const [name, start] of Object.entries(servers)) results[name].push(await measure(start, size, packing));
  }
  for (const [name, all] of Object.entries(results)) {
    const of = (key, digits = 0) => median(all.map((each) => each[key])).toFixed(digits);
    const kind = `${size / 1024} KB ${packing}`;
    print([kind, name, of("perCpu"), of("rate"), of("p50", 1), of("p99", 1), of("rss")]);
  }
}
