import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Logged } from "../../examples/scripted-provider/request-log.ts";

export interface ChildProvider {
  readonly url: string;
  readonly port: number;
  /** entries of its log file so far */
  log(): Logged[];
  /** Ends the process and waits until its port refuses connections. */
  stop(): Promise<void>;
}

/** A provider in a process of its own; `log` is the file it writes its log to. */
export async function startChildProvider(options: { log: string; script?: string }): Promise<ChildProvider> {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const script = options.script === undefined ? [] : ["--script", options.script];
  const child = spawn(process.execPath, [main, "--log", options.log, ...script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  const { url, port } = JSON.parse(line) as { url: string; port: number };
  return {
    url,
    port,
    log: () => readLog(options.log),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      if (!(await refuses(port))) throw new Error(`port ${port} still answers`);
    },
  };
}

/** Entries of a provider's log file; none where it has not been written yet. */
export function readLog(file: string): Logged[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Logged);
}

/** True if nothing listens on the port of loopback. */
export async function refuses(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") resolve(true);
      else reject(error);
    });
  });
}
