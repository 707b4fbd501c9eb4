import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { until } from "./running-collector.ts";

/** The collector's own program, built. */
export const collectorBin = fileURLToPath(new URL("../../collector/bin/reenact-collector.js", import.meta.url));

export interface CollectorChild {
  readonly http: string;
  readonly pid: number;
  /** of `reenact up` with a command: the address of pages that may replay */
  readonly replays: string | null;
  /** its log so far */
  log(): string;
  /** Acknowledged, or it throws. */
  send(body: Uint8Array): Promise<void>;
  /** JSON of the API */
  get<T>(path: string): Promise<T>;
  /** SIGKILL */
  kill(): Promise<void>;
  /** SIGTERM; gives its exit code */
  stop(): Promise<number | null>;
}

/** Starts a collector as a process of its own and waits for its line. */
export async function startCollectorChild(
  command: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<CollectorChild> {
  const { VITEST: _v, NODE_OPTIONS: _n, NODE_ENV: _e, ...rest } = process.env;
  const child: ChildProcess = spawn(process.execPath, command, {
    cwd: options.cwd,
    env: {
      ...rest,
      REENACT_COLLECTOR_LISTEN_PORT: "0",
      REENACT_COLLECTOR_PACK_AGE: "1ms",
      REENACT_COLLECTOR_LIMITS_FREE_DISK_BYTES: "1",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout?.on("data", (piece: Buffer) => (out += piece.toString()));
  child.stderr?.on("data", (piece: Buffer) => (err += piece.toString()));
  await until("the line that says it is ready", async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${err}`);
    return out.includes("\n");
  });
  const end = async (signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  const line = JSON.parse(out) as { http?: string; otlpHttp?: string; replays?: string | null };
  const http = line.http ?? line.otlpHttp ?? "";
  return {
    http,
    pid: child.pid ?? 0,
    replays: line.replays ?? null,
    log: () => err,
    async send(body) {
      const headers = { "content-type": "application/x-protobuf" };
      const response = await fetch(`${http}/v1/traces`, { method: "POST", headers, body: Buffer.from(body) });
      if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    },
    async get<T>(path: string) {
      const response = await fetch(http + path);
      if (response.status !== 200) throw new Error(`${path}: status ${response.status}: ${await response.text()}`);
      return (await response.json()) as T;
    },
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGTERM");
      return child.exitCode;
    },
  };
}
