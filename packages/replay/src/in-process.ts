import { randomBytes } from "node:crypto";
import { basename, dirname, resolve } from "node:path";
import type { Dialect } from "@reenact/capture";
import {
  here,
  install,
  isAgent,
  originals,
  raise,
  recorder,
  Run,
  type RunContext,
  runAgent,
  type Source,
} from "@reenact/capture/recorder";
import { readEnvelope } from "@reenact/envelope/file";
import { HOOKS } from "@reenact/hooks";
import { dialects, loadScopeScrubber, NO_EFFECTS, readConfig } from "@reenact/node";
import type { VaultPlace } from "@reenact/node/vault";
import { createScrubber } from "@reenact/redaction";
import { recordedArguments } from "./serve/agent-input.ts";
import { installGuard } from "./guard/guard.ts";
import { loadTape } from "./tape/load-tape.ts";
import type { ReplayReport } from "./verdict/replay-report.ts";
import type { Mode } from "./child/plan.ts";
import { refuser } from "./guard/refusal.ts";
import { Session } from "./session.ts";
import { type Tape, tapeOf } from "./tape/tape.ts";
import { originalsOf, withVault } from "./tape/tape-vault.ts";
import { collectToolCalls, type ToolCall } from "./tools/tool-calls.ts";
import type { Divergence } from "./verdict/verdict.ts";
import { showVariables } from "./child/environment.ts";

export interface ReplayOptions {
  mode?: Mode;
  /** tools whose bodies run although a record exists */
  runTools?: string[];
  serveTools?: string[];
  allowUnrecordedTools?: boolean;
  /** milliseconds after which a replay that never ends is given up; default 60,000 */
  timeoutMs?: number;
  /** arguments for `fn`; default: those of the recorded call */
  input?: unknown[];
  /** the vault with the originals of redacted values: default that of the store; false: none is used */
  vault?: false | { store?: string; file?: string; key?: string };
}

export interface Replayed {
  verdict: ReplayReport["verdict"];
  steps: ReplayReport["calls"];
  /** what `fn` returned; undefined if it threw or never ended */
  output: unknown;
  /** what `fn` threw */
  error: unknown;
  divergence: Divergence | null;
  /** tool calls of this replay, those of served tools too, in the order of their start */
  toolCalls: ToolCall[];
  report: ReplayReport;
}

type AnyFunction = (...args: never[]) => unknown;

/** Runs `fn` in this process, every step served from the record: no key, no network, no side effect. */
export async function replay(
  envelope: Uint8Array | string,
  fn: AnyFunction,
  options: ReplayOptions = {},
): Promise<Replayed> {
  const read = typeof envelope === "string" ? loadTape(envelope) : tapeOf(readEnvelope(envelope));
  const tape = withVault(read, placeOf(envelope, options.vault ?? {}));
  prepare();
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {});
  const session = new Session({
    target: tape,
    siblings: [],
    hasSiblings: false,
    mode: options.mode ?? "observe",
    runTools: options.runTools ?? [],
    serveTools: options.serveTools ?? [],
    otherInput: options.input !== undefined,
    allowUnrecordedTools: options.allowUnrecordedTools ?? false,
    stop: (reason) => stopped.reject(new Error(reason.message)),
  });
  const refuse = refuser(session);
  const undo = installGuard({
    refuse,
    onOwnDeath: (signal) => {
      return raise(refuse("signal", `${signal} to this process`));
    },
    onDatagram: (target) => session.ledger.note(`datagrams were dropped: udp ${target}`),
    threadPreload: null,
    applies: () => here()?.run !== undefined && here()?.run === session.targetRun,
  });
  const hideVariables = showVariables(tape);
  const collecting = collectToolCalls(() => session.targetRun);
  const began = originals.performanceNow();
  const clock = originals.setTimeout(() => {
    session.stopped = { reason: "timeout", message: `the replay did not end within ${options.timeoutMs ?? 60_000} ms` };
    stopped.reject(new Error(session.stopped.message));
  }, options.timeoutMs ?? 60_000);
  let output: unknown;
  let error: unknown;
  try {
    output = await Promise.race([begin(session, tape, fn, options.input ?? recordedArguments(tape)), stopped.promise]);
  } catch (thrown) {
    error = thrown;
  } finally {
    originals.clearTimeout(clock);
    hideVariables();
    undo();
  }
  const closed = closedAndCollected(session, collecting, originals.performanceNow() - began);
  const { toolCalls } = closed;
  const report = originalsOf(tape) === null ? closed.report : withoutValues(closed.report);
  return {
    verdict: report.verdict,
    steps: report.calls,
    output,
    error,
    divergence: report.divergence,
    toolCalls,
    report,
  };
}

/** A run that was stopped writes its last steps while it is closed. */
function closedAndCollected(
  session: Session,
  collecting: { end(): ToolCall[] },
  durationMs: number,
): { report: ReplayReport; toolCalls: ToolCall[] } {
  let toolCalls: ToolCall[] = [];
  let report: ReplayReport;
  try {
    report = session.close({ exitCode: null, effectsOf: () => NO_EFFECTS, durationMs: Math.round(durationMs) });
  } finally {
    toolCalls = collecting.end();
  }
  return { report, toolCalls };
}

/** The vault of the store that a run lies in; for a run given as bytes that of the configured store. */
function placeOf(envelope: Uint8Array | string, given: NonNullable<ReplayOptions["vault"]>): VaultPlace | null {
  if (given === false) return null;
  const runs = typeof envelope === "string" ? dirname(resolve(envelope)) : "";
  const store = given.store ?? (basename(runs) === "runs" ? dirname(runs) : readConfig().config.store);
  return { ...given, store };
}

/** Redacts a report: texts of this replay may hold originals of redacted values. */
function withoutValues(report: ReplayReport): ReplayReport {
  const text = recorder.scrubber?.scrub(JSON.stringify(report), { mime: "application/json" }).text;
  return text === undefined ? report : (JSON.parse(text) as ReplayReport);
}

/** Starts the run synchronously, within the call, so that concurrent replays do not get each other's source. */
function begin(session: Session, tape: Tape, fn: AnyFunction, input: unknown[]): unknown {
  const before = recorder.sourceFor;
  recorder.sourceFor = (run: RunContext): Source => session.sourceFor(run, true);
  try {
    const body = (): unknown => Reflect.apply(fn, undefined, input);
    if (isAgent(fn)) return body();
    return runAgent(
      new Run({
        trigger: "function",
        name: tape.root.name ?? "replay",
        sequence: tape.root.sequence ?? 0,
        parent: tape.runId,
      }),
      body,
    );
  } finally {
    recorder.sourceFor = before;
  }
}

/** A process that records nothing else gets the scrubber of its project; without a key there, one that only this process has. */
function prepare(): void {
  install({ name: "replay", processRun: false, hooks: HOOKS });
  recorder.scrubber ??= projectScrubber();
  for (const dialect of dialects as Dialect[])
    if (!recorder.dialects.includes(dialect)) recorder.dialects.push(dialect);
}

function projectScrubber(): NonNullable<typeof recorder.scrubber> {
  const { store, configFile } = readConfig().config;
  const found = loadScopeScrubber({ env: process.env, folder: store, configFile, policy: undefined, temporary: true });
  return "error" in found ? createScrubber({ key: randomBytes(32) }) : found.scrubber;
}
