import { maskChance } from "../../examples/scripted-provider/serial.ts";
import type { Logged, LoggedRequest } from "../../examples/scripted-provider/request-log.ts";
import { startProvider } from "../provider/start-provider.ts";
import { runScenario, type ScenarioRun, type ScenarioSetting } from "./run-scenario.ts";
import type { Scenario } from "./scenarios.ts";

/** What a scenario shows to the outside, in a form in which two runs of it are equal. */
export interface Seen {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly listeners: Readonly<Record<string, number>>;
  /** what the provider was sent, sorted */
  readonly requests: readonly string[];
  /** how many answers were whole, given up by the client, broken off by the provider */
  readonly ends: Readonly<Record<string, number>>;
}

export interface SeenRun {
  readonly seen: Seen;
  /** milliseconds from start to exit */
  readonly ms: number;
  /** milliseconds that the provider waited until the client gave up, one for each such answer, ascending */
  readonly untilCancelled: readonly number[];
}

/** Runs a scenario against a provider of its own and gives what the outside saw of it. */
export async function seeScenario(scenario: Scenario, setting: Omit<ScenarioSetting, "url">): Promise<SeenRun> {
  const provider = await startProvider();
  const run = await runScenario(scenario, { ...setting, url: provider.url });
  await ended(provider.log);
  const log = [...provider.log];
  await provider.stop();
  const sent = log.filter((entry) => entry.event === "request");
  const cancelled = log.filter((entry) => entry.event === "end" && entry.how === "cancelled");
  const startOf = (n: number): number => sent.find((request) => request.n === n)?.at ?? Number.NaN;
  return {
    seen: seenOf(run, log, sent),
    ms: run.ms,
    untilCancelled: cancelled.map(({ n, at }) => at - startOf(n)).toSorted((a, b) => a - b),
  };
}

function seenOf(run: ScenarioRun, log: readonly Logged[], sent: readonly LoggedRequest[]): Seen {
  const ends: Record<string, number> = {};
  for (const entry of log) if (entry.event === "end") ends[entry.how] = (ends[entry.how] ?? 0) + 1;
  return {
    stdout: maskChance(run.stdout).replace(COUNT, "deltas: some"),
    stderr: maskChance(run.stderr).replace(/\(node:\d+\)/g, "(node)"),
    exitCode: run.exitCode,
    listeners: run.listeners ?? {},
    requests: sent.map(requestText).toSorted(),
    ends,
  };
}

/** The provider notices the end of a process a moment later. */
async function ended(log: readonly Logged[]): Promise<void> {
  const open = (): number => log.reduce((sum, { event }) => sum + (event === "request" ? 1 : -1), 0);
  for (let tries = 0; tries < 200 && open() > 0; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Deltas until an abort: Node joins what came while the program was busy, and an SDK reads a joined chunk to its end. */
const COUNT = /^deltas: \d+$/gm;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Of a thinking block: new for each answer. */
const SIGNATURE = /"signature":"[A-Za-z0-9+/=]+"/g;
const TRACE = /00-[0-9a-f]{32}-[0-9a-f]{16}-01/g;

function requestText({ method, path, headers, text, base64 }: LoggedRequest): string {
  const lines: string[] = [];
  let boundary = "";
  for (let at = 0; at < headers.length; at += 2) {
    const [name = "", value = ""] = headers.slice(at, at + 2);
    boundary ||= /boundary="?([^";]+)/.exec(value)?.[1] ?? "";
    if (name.toLowerCase() !== "host") lines.push(`${name}: ${value}`);
  }
  const body = text ?? Buffer.from(base64 ?? "", "base64").toString("latin1");
  const whole = `${method} ${path}\n${lines.join("\n")}\n\n${body}`;
  return maskChance(boundary === "" ? whole : whole.replaceAll(boundary, "boundary"))
    .replace(UUID, "uuid")
    .replace(TRACE, "trace")
    .replace(SIGNATURE, '"signature":"…"');
}
