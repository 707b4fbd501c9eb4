import type { Command } from "commander";
import { setTimeout as pause } from "node:timers/promises";
import { type ScannedSpan, scanTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { oneLine } from "@reenact/view";
import { seconds } from "./seconds.ts";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/error-code.ts";
import { probeRun } from "../remote/probe-run.ts";
import { type RemoteOptions, withServer } from "../remote/remote-options.ts";
import type { ServerClient } from "../remote/server-client.ts";
import { serverOf } from "../remote/server-of.ts";

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  sealed?: boolean;
  timeout: number;
  every?: number;
}

/** Spans of one round, by what became of them. */
interface Round {
  run: string;
  written: number;
  /** the run was not there in time */
  notfound: number;
  /** the run was there without them */
  missing: number;
  /** they came back with other bytes */
  incorrect: number;
  ackMs: number;
  /** from the acknowledgement until all of it was read back; null: it was not */
  readMs: number | null;
}

/** What the collector has found out of its store; null: it is too old to say. */
type StoreFacts = Readonly<Record<string, string>> | null;

const LOOK_MS = 100;
const FEATURES: Readonly<Record<string, string>> = {
  conditionalWrites: "conditional writes",
  objectLock: "Object Lock",
};

export function probeCommand(): Command {
  const command = baseCommand("probe", "write a run to a collector, read it back, and count what is lost or wrong", [
    "reenact probe --server https://collector.example",
    "reenact probe --sealed --timeout 120",
    "reenact probe --every 60 --json >> probe.jsonl",
  ]);
  return withServer(command)
    .option("--sealed", "wait until it is in a pack, and check its digests; takes pack.age")
    .option("--timeout <seconds>", "for one round", seconds, 30)
    .option("--every <seconds>", "repeat at this interval, until it is stopped", seconds)
    .option("--json", "one line for each round")
    .addHelpText("after", "\nExit code: 0 all came back, 1 some is missing or incorrect, 6 nothing arrived.")
    .action(probe);
}

async function probe(options: Options): Promise<void> {
  const server = serverOf(options);
  const store = await storeOf(server);
  if (store !== null && !options.json) process.stdout.write(`${storeLine(store)}\n`);
  let worst: Round | null = null;
  const stop = new AbortController();
  if (options.every !== undefined) process.once("SIGINT", () => stop.abort());
  do {
    const round = await oneRound(server, options);
    tell(round, server.url, store, options);
    if (worst === null || badness(round) > badness(worst)) worst = round;
    await pause((options.every ?? 0) * 1000, null, { signal: stop.signal }).catch(() => {});
  } while (options.every !== undefined && !stop.signal.aborted);
  if (worst.notfound === worst.written)
    throw new CliError(
      "REEN-NOTHING-ARRIVED",
      `${server.url} acknowledged run ${worst.run}, and did not give it back in ${options.timeout} s`,
      "look at its log and at /readyz",
    );
  if (badness(worst) > 0) process.exitCode = EXIT.failed;
}

async function storeOf(server: ServerClient): Promise<StoreFacts> {
  try {
    return (await server.call("getStore")).store ?? null;
  } catch (error) {
    // of an older collector, or of another server: the round reports it
    if (error instanceof CliError && ["REEN-NOT-A-COLLECTOR", "REEN-NO-RUN"].includes(error.code)) return null;
    throw error;
  }
}

function storeLine({ place = "", ...features }: Readonly<Record<string, string>>): string {
  const words = Object.entries(features).map(([name, state]) => `${FEATURES[name] ?? name} ${state}`);
  return oneLine(`store ${place}: ${words.join(", ")}`, 400);
}

const badness = ({ notfound, missing, incorrect }: Round): number => notfound + missing + incorrect;

async function oneRound(server: ServerClient, options: Options): Promise<Round> {
  const { id, traces, spans } = probeRun(Date.now());
  const begun = performance.now();
  await server.send(traces);
  const acknowledged = performance.now();
  const round: Round = {
    run: id,
    written: spans.length,
    notfound: spans.length,
    missing: 0,
    incorrect: 0,
    ackMs: rounded(acknowledged - begun),
    readMs: null,
  };
  for (const end = acknowledged + options.timeout * 1000; ;) {
    const back = await readBack(server, id, options.sealed === true);
    if (back !== null) {
      Object.assign(round, { notfound: 0, ...compared(spans, back) });
      if (badness(round) === 0) return { ...round, readMs: rounded(performance.now() - acknowledged) };
    }
    if (performance.now() > end) return round;
    await pause(LOOK_MS);
  }
}

/** Null: it is not there, or not yet sealed. */
async function readBack(server: ServerClient, run: string, sealed: boolean): Promise<ScannedSpan[] | null> {
  try {
    if (!sealed) return scanTraces(await server.bytes("getSpans", run));
    return readEnvelope(await server.bytes("getEnvelope", run)).spans.map(({ scanned }) => scanned);
  } catch (error) {
    if (error instanceof CliError && ["REEN-NO-RUN", "REEN-NOT-SEALED"].includes(error.code)) return null;
    throw error;
  }
}

function compared(written: readonly ScannedSpan[], back: readonly ScannedSpan[]): Pick<Round, "missing" | "incorrect"> {
  const found = new Map(back.map((each) => [each.spanId, each.span]));
  const counts = { missing: 0, incorrect: 0 };
  for (const { spanId, span } of written) {
    const same = found.get(spanId);
    if (same === undefined) counts.missing++;
    else if (Buffer.compare(same, span) !== 0) counts.incorrect++;
  }
  return counts;
}

function tell(round: Round, server: string, store: StoreFacts, options: Options): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ schemaVersion: 1, server, store, ...round })}\n`);
    return;
  }
  const { run, written, notfound, missing, incorrect, ackMs, readMs } = round;
  const read = readMs === null ? "not read back" : `read back in ${readMs} ms`;
  process.stdout.write(
    `${badness(round) === 0 ? "✓" : "✗"} run ${run}  ${written} spans: ${notfound} notfound, ${missing} missing, ${incorrect} incorrect · acknowledged in ${ackMs} ms, ${read}\n`,
  );
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;
