import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReplayReport } from "@reenact/replay";

/** The built command, as a user has it. */
export const bin = fileURLToPath(new URL("../../packages/cli/bin/reenact.js", import.meta.url));

/** With `SPOIL_THREADS` (test/faults/README.md) all programs of these tests lose their redaction threads, or have slow ones. */
const SPOILT =
  process.env["SPOIL_THREADS"] === undefined
    ? undefined
    : `--import=${new URL("../faults/spoil-threads.mjs", import.meta.url).href}`;

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Launch {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** default 60 s; then the child is killed */
  readonly timeoutMs?: number;
  /** what to do with the child once it runs */
  readonly onStart?: (pid: number) => void;
  /** what to do with it once it has printed something */
  readonly onOutput?: (pid: number) => void;
  /** text for standard input */
  readonly input?: string;
  /** what starts the whole command: `["unshare", "-n"]` */
  readonly through?: readonly string[];
}

/** Runs a command to its end. Never rejects for an exit code. */
export function launch(command: readonly string[], options: Launch = {}): Promise<Ended> {
  const [file = "", ...args] = [...(options.through ?? []), ...command];
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_OPTIONS: SPOILT,
    VITEST: undefined,
    NODE_ENV: undefined,
    ...options.env,
  };
  const child = spawn(file, args, {
    cwd: options.cwd,
    env,
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid !== undefined) options.onStart?.(pid);
  if (pid !== undefined) child.stdout?.once("data", () => options.onOutput?.(pid));
  child.stdin?.end(options.input);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (b: Buffer) => out.push(b));
  child.stderr?.on("data", (b: Buffer) => err.push(b));
  const clock = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? 60_000);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(clock);
      resolve({
        stdout: Buffer.concat(out).toString("utf8"),
        stderr: Buffer.concat(err).toString("utf8"),
        code,
        signal,
      });
    });
  });
}

export interface RunSummary {
  run: string | null;
  runs: string[];
  status: string | null;
  steps: number;
  complete: boolean;
  incompleteReasons: string[];
  store: string;
  exitCode: number;
}

/** A store in a temporary folder, and the commands over it. */
export class Store {
  readonly folder = mkdtempSync(join(tmpdir(), "reenact-e2e-"));
  readonly #bin: string;
  #n = 0;

  /** `command`: another build of the command line */
  constructor(command: string = bin) {
    this.#bin = command;
  }

  async run(command: readonly string[], options: Launch = {}): Promise<Ended & { summary: RunSummary }> {
    const file = join(this.folder, `summary-${this.#n++}.json`);
    const ended = await launch(
      [process.execPath, this.#bin, "run", "--quiet", "--store", this.folder, "--json-file", file, "--", ...command],
      options,
    );
    return { ...ended, summary: JSON.parse(readFileSync(file, "utf8")) as RunSummary };
  }

  async replay(
    run: string,
    command: readonly string[],
    options: Launch & { flags?: readonly string[] } = {},
  ): Promise<Ended & { report: ReplayReport }> {
    const file = join(this.folder, `report-${this.#n++}.json`);
    const ended = await launch(
      [
        process.execPath,
        this.#bin,
        "replay",
        run,
        "--quiet",
        "--store",
        this.folder,
        "--json-file",
        file,
        ...(options.flags ?? []),
        "--",
        ...command,
      ],
      options,
    );
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch {
      throw new Error(`no report; exit ${ended.code}: ${ended.stderr.slice(0, 2000)}`);
    }
    return { ...ended, report: JSON.parse(text) as ReplayReport };
  }

  async command(...args: string[]): Promise<Ended> {
    return launch([process.execPath, this.#bin, ...args, "--store", this.folder]);
  }

  path(run: string): string {
    return join(this.folder, "runs", `${run}.reenact`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
