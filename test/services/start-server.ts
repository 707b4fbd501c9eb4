import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

export interface RunningServer {
  readonly pid: number;
  /** SIGTERM, then SIGKILL after 5 s; resolves when the process is gone */
  stop(): Promise<void>;
  /** SIGKILL; resolves when the process is gone */
  kill(): Promise<void>;
}

/** A port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/**
 * Starts a server with its output in a file (one that inherits a pipe would keep its caller waiting) and waits until
 * `ready` says so. Throws with the end of that file if it ends or is not ready in time.
 */
export async function startServer(options: {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  logFile: string;
  ready: () => Promise<boolean>;
  timeoutMs?: number;
}): Promise<RunningServer> {
  const log = openSync(options.logFile, "a");
  const child = spawn(options.command, options.args, {
    env: { ...process.env, ...options.env },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let failed: Error | null = null;
  child.once("error", (error) => (failed = error));
  const ended = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  const until = Date.now() + (options.timeoutMs ?? 30_000);
  for (;;) {
    const gone = failed !== null || child.exitCode !== null || child.signalCode !== null;
    if (!gone && (await options.ready().catch(() => false))) break;
    if (gone || Date.now() > until) {
      child.kill("SIGKILL");
      const tail = readFileSync(options.logFile, "utf8").slice(-2000);
      throw new Error(`${options.command} ${gone ? "ended" : "is not ready"}: ${tail}`, { cause: failed });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    pid: child.pid!,
    stop: () => end(child, "SIGTERM", ended),
    kill: () => end(child, "SIGKILL", ended),
  };
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL", ended: Promise<void>): Promise<void> {
  child.kill(signal);
  const timer = setTimeout(() => void child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(timer);
}
