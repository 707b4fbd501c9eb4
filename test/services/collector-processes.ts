import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./start-server.ts";

const program = join(import.meta.dirname, "../../collector/bin/reenact-collector.js");

/** A process of the built collector, on a port that it keeps over its restarts. */
export interface CollectorProcess {
  readonly name: string;
  readonly http: string;
  readonly pid: () => number;
  /** lines that it logged, all its lives together */
  logged(): { level: string; event: string; [field: string]: unknown }[];
  /** what else it wrote on standard error */
  printed(): string;
  /** Resolves to its exit code. */
  ended(): Promise<number | null>;
  /** SIGKILL, and again from the begin with the same data folder */
  crash(): Promise<void>;
  /** SIGTERM; resolves to the exit code */
  stop(): Promise<number | null>;
  /** Waits until `/readyz` is 200. */
  ready(): Promise<void>;
}

export interface CollectorProcesses {
  start(name: string, roles: readonly string[], settings?: Record<string, unknown>): Promise<CollectorProcess>;
  /** Kills what still runs and removes the folders. */
  end(): Promise<void>;
}

/** Processes that share the settings; each has a data folder of its own. */
export function collectorProcesses(
  shared: Record<string, unknown>,
  env: Readonly<Record<string, string>> = {},
): CollectorProcesses {
  const folder = mkdtempSync(join(tmpdir(), "reenact-processes-"));
  const running = new Set<ChildProcess>();

  async function start(name: string, roles: readonly string[], settings: Record<string, unknown> = {}) {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const port = await freePort();
    const http = `http://127.0.0.1:${port}`;
    const config = join(own, "config.json");
    const log = join(own, "log.jsonl");
    writeFileSync(log, "");
    writeFileSync(config, JSON.stringify({ data: join(own, "data"), listen: { port }, ...shared, ...settings }));
    let child: ChildProcess;

    function launch(): void {
      const script = `exec "$0" "$@" 2>>"$REENACT_TEST_LOG" >/dev/null`;
      const args = ["-c", script, process.execPath, program, "--config", config, "--role", roles.join(",")];
      const variables = { ...process.env, ...env, REENACT_TEST_LOG: log };
      child = spawn("sh", args, { stdio: "ignore", env: variables });
      running.add(child);
      child.once("exit", () => running.delete(child));
    }
    const ended = (signal: NodeJS.Signals | null): Promise<number | null> => {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
      return new Promise((resolve) => {
        child.once("exit", resolve);
        if (signal !== null) child.kill(signal);
      });
    };
    launch();
    return {
      name,
      http,
      pid: () => child.pid!,
      logged: () =>
        readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .map((line) => JSON.parse(line) as { level: string; event: string }),
      printed: () =>
        readFileSync(log, "utf8")
          .split(/(?<=\n)/)
          .filter((line) => !line.startsWith("{"))
          .join(""),
      ended: () => ended(null),
      async crash() {
        await ended("SIGKILL");
        launch();
      },
      stop: () => ended("SIGTERM"),
      async ready() {
        for (const until = Date.now() + 60_000; ;) {
          const isReady = await fetch(`${http}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          );
          if (isReady) return;
          if (child.exitCode !== null || Date.now() > until)
            throw new Error(`${name} is not ready: ${readFileSync(log, "utf8").slice(-2000)}`);
          await pause(50);
        }
      },
    };
  }

  return {
    start,
    async end() {
      for (const child of running) child.kill("SIGKILL");
      while (running.size > 0) await pause(10);
      // REENACT_TEST_KEEP=1: their logs stay, to look into a failure
      if (process.env["REENACT_TEST_KEEP"] === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
