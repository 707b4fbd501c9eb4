import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceCache } from "./service-cache.ts";
import { freePort, startServer } from "./start-server.ts";

const VERSION = "v0.158.0";
const CORE = "go.opentelemetry.io/collector";
const CONTRIB = "github.com/open-telemetry/opentelemetry-collector-contrib";
/** Where it stands once it is installed. */
export const otelcolProgram = (): string => join(serviceCache(), "bin", "otelcol");

/** Why it cannot be started here; null: it can. */
export function missingOtelcol(): string | null {
  return existsSync(otelcolProgram()) ? null : "otelcol is not installed: node test/services/install.ts otelcol";
}

/** Builds an OpenTelemetry Collector with what the tests and the ingest bench need; some two minutes. */
export function installOtelcol(): string {
  if (existsSync(otelcolProgram())) return otelcolProgram();
  const bin = join(serviceCache(), "bin");
  const folder = join(serviceCache(), "otelcol-src");
  mkdirSync(folder, { recursive: true });
  mkdirSync(bin, { recursive: true });
  const module = (path: string) => [{ gomod: `${path} ${VERSION}` }];
  const parts = {
    dist: { name: "otelcol", output_path: "./build", otelcol_version: VERSION.slice(1) },
    receivers: module(`${CORE}/receiver/otlpreceiver`),
    exporters: ["exporter/otlphttpexporter", "exporter/nopexporter"]
      .flatMap((path) => module(`${CORE}/${path}`))
      .concat(module(`${CONTRIB}/exporter/fileexporter`)),
    extensions: module(`${CONTRIB}/extension/storage/filestorage`),
  };
  writeFileSync(join(folder, "ocb.yaml"), JSON.stringify(parts));
  run(folder, bin, "go", ["install", `${CORE}/cmd/builder@${VERSION}`]);
  run(folder, bin, join(bin, "builder"), ["--config", "ocb.yaml", "--ldflags", "-s -w"]);
  copyFileSync(join(folder, "build", "otelcol"), otelcolProgram());
  return otelcolProgram();
}

function run(cwd: string, bin: string, command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync("nice", ["-n", "15", command, ...args], {
    cwd,
    env: { ...process.env, GOBIN: bin, GOFLAGS: "-buildvcs=false" },
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr.slice(-2000)}`);
}

export interface Otelcol {
  readonly traces: string;
  /** Lines of its file exporter: one OTLP/JSON document per export. */
  received(): string[];
  stop(): Promise<void>;
}

/** OTLP/HTTP on a free port of 127.0.0.1; what comes in goes to a file. */
export async function startOtelcol(): Promise<Otelcol> {
  const folder = mkdtempSync(join(tmpdir(), "reenact-otelcol-"));
  const file = join(folder, "out.json");
  const port = await freePort();
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { file: { path: file, flush_interval: "100ms" } },
    service: {
      telemetry: { metrics: { level: "none" } },
      pipelines: { traces: { receivers: ["otlp"], exporters: ["file"] } },
    },
  };
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
  const traces = `http://127.0.0.1:${port}/v1/traces`;
  const server = await startServer({
    command: otelcolProgram(),
    args: ["--config", join(folder, "config.yaml")],
    logFile: join(folder, "log"),
    ready: async () => (await fetch(traces)).status === 405,
  });
  return {
    traces,
    // its last line may be half written yet
    received: () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
