import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { CliError } from "../errors/cli-error.ts";
import { environment } from "./environment.ts";
import { ERROR_CODES } from "../errors/error-code.ts";

export interface ChildEnd {
  /** as a shell has it: 128 and the number of the signal that ended the child */
  exitCode: number;
  signal: NodeJS.Signals | null;
  /** null: it could not be started */
  pid: number | null;
  /** it could not be started */
  failure: CliError | null;
}

const FROM_TERMINAL: ReadonlySet<string> = new Set(["SIGINT", "SIGHUP", "SIGQUIT"]);
const FORWARDED = [...FROM_TERMINAL, "SIGTERM", "SIGUSR1", "SIGUSR2"] as NodeJS.Signals[];

/**
 * Starts the user's command with the recorder preloaded and the terminal, or whatever stands in for it, untouched.
 * `stdout`: where the command's own output goes, if not to ours.
 */
export function launchChild(
  command: readonly string[],
  extra: Record<string, string>,
  stdout: "inherit" | 2 = "inherit",
): Promise<ChildEnd> {
  const preload = fileURLToPath(import.meta.resolve("@reenact/node/register"));
  const quoted = /[\s"\\]/.test(preload) ? JSON.stringify(preload) : preload;
  const own = environment();
  const NODE_OPTIONS = [own["NODE_OPTIONS"], `--import=${quoted}`].filter(Boolean).join(" ");
  return startChild(command, { ...own, ...extra, NODE_OPTIONS }, stdout);
}

/** Starts a command of the user's with this environment, and passes signals on to it. */
export function startChild(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  stdout: "inherit" | 2 = "inherit",
): Promise<ChildEnd> {
  const [file = "", ...args] = command;
  return new Promise((done) => {
    const child = spawn(file, args, { stdio: ["inherit", stdout, "inherit"], env });
    // we outlive the agent to seal what it left; a terminal has sent its own signals to the agent already
    const forward = (signal: NodeJS.Signals): void => {
      if (!FROM_TERMINAL.has(signal) || !onTerminal()) child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    child.on("error", (error) => {
      const failure = new CliError(
        "REEN-CANNOT-START",
        `cannot start ${file}: ${error.message}`,
        "check the command after --",
        { cause: error },
      );
      done({ exitCode: ERROR_CODES["REEN-CANNOT-START"], signal: null, pid: null, failure });
    });
    child.on("exit", (code, signal) =>
      done({
        exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
        signal,
        pid: child.pid ?? null,
        failure: null,
      }),
    );
  });
}

function onTerminal(): boolean {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
}
