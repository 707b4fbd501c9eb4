import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../collector/bin/reenact-collector.js", import.meta.url));

/** The collector as a program, over one folder and on one port, to be killed and started again. */
export class CollectorProgram {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  #port = 0;
  #child: ChildProcess | null = null;
  #ended: Promise<{ code: number | null; errors: string }> = new Promise(() => {});

  /** `env`: further settings */
  constructor(folder: string, env: Readonly<Record<string, string>> = {}) {
    this.#folder = folder;
    this.#env = env;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error("it is not running");
    return pid;
  }

  /** Resolves when it takes spans; rejects with what it said if it ends before. */
  async start(): Promise<void> {
    const { VITEST: _v, NODE_OPTIONS: _n, ...rest } = process.env;
    const child = spawn(process.execPath, [bin], {
      env: {
        ...rest,
        REENACT_COLLECTOR_DATA: join(this.#folder, "data"),
        REENACT_COLLECTOR_STORE: join(this.#folder, "store"),
        REENACT_COLLECTOR_LISTEN_PORT: String(this.#port),
        REENACT_COLLECTOR_ASSEMBLE_SETTLE: "200ms",
        REENACT_COLLECTOR_PACK_AGE: "20ms",
        REENACT_COLLECTOR_LOG: "error",
        ...this.#env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    let errors = "";
    child.stderr.on("data", (bytes: Buffer) => {
      errors += bytes.toString();
      process.stderr.write(bytes);
    });
    this.#ended = once(child, "close").then(([code]) => ({ code: code as number | null, errors }));
    const line = await Promise.race([
      once(child.stdout, "data").then(([bytes]) => String(bytes)),
      this.#ended.then(({ code }) => {
        throw new Error(`it ended with ${code}: ${errors}`);
      }),
    ]);
    this.#port = Number(new URL((JSON.parse(line) as { http: string }).http).port);
  }

  /** Resolves when it ends, by itself or by `kill`. */
  ended(): Promise<{ readonly code: number | null; readonly errors: string }> {
    return this.#ended;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}
