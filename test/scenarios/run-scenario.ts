import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scenario } from "./scenarios.ts";

export interface ScenarioRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  /** milliseconds from start to exit */
  readonly ms: number;
  /** listener counts by event name at the end; null where the program did not get there */
  readonly listeners: Readonly<Record<string, number>> | null;
}

export interface ScenarioSetting {
  readonly format: "mjs" | "cjs";
  /** the provider's url; null where it is to come from elsewhere */
  readonly url: string | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** what to run instead of the plain command: `(command) => [node, cli, "run", "--", ...command]` */
  readonly wrap?: (command: readonly string[]) => readonly string[];
  /** default 30 s; then the child is killed and `exitCode` is null */
  readonly timeoutMs?: number;
}

/** The command of a scenario, with this process's own Node. */
export function commandOf(scenario: Scenario, format: "mjs" | "cjs"): string[] {
  return [process.execPath, join(import.meta.dirname, `${scenario.sdk}.${format}`), scenario.name];
}

/** Runs a scenario in a child process. */
export async function runScenario(scenario: Scenario, setting: ScenarioSetting): Promise<ScenarioRun> {
  const folder = mkdtempSync(join(tmpdir(), "scenario-"));
  const facts = join(folder, "facts.json");
  const plain = commandOf(scenario, setting.format);
  const [program = process.execPath, ...args] = setting.wrap?.(plain) ?? plain;
  const { url } = setting;
  const keys = { OPENAI_API_KEY: "none", ANTHROPIC_API_KEY: "none" };
  const bases = url === null ? {} : { ...keys, OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url };
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: setting.cwd,
    env: { ...process.env, ...bases, SCENARIO_FACTS: facts, ...setting.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => stdout.push(part));
  child.stderr.on("data", (part: Buffer) => stderr.push(part));
  const timer = setTimeout(() => child.kill("SIGKILL"), setting.timeoutMs ?? 30_000);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  clearTimeout(timer);
  const ms = performance.now() - started;
  const listeners = readFacts(facts);
  rmSync(folder, { recursive: true, force: true });
  return {
    stdout: Buffer.concat(stdout).toString("utf8"),
    stderr: Buffer.concat(stderr).toString("utf8"),
    exitCode,
    ms,
    listeners,
  };
}

function readFacts(file: string): Record<string, number> | null {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { listeners: Record<string, number> }).listeners;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
