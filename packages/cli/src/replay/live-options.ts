import { provider, PROVIDERS } from "@reenact/providers";
import { type GivenResult, type LiveOptions, type RecordedStep, seesOwnValue, type Tape } from "@reenact/replay";
import { oneLine } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import { allowedOrigins } from "./allowed-origins.ts";
import { loadPrices } from "./load-prices.ts";
import { isRequestEdit } from "./given-results.ts";
import { requestEdits } from "./request-edits.ts";

/** Flags of a replay that may leave its record. */
export interface LiveFlags {
  set: readonly string[];
  live: readonly string[];
  liveAfter?: number;
  fork?: number;
  until?: number;
  /** number of the first step that is compared */
  comparedFrom?: number | undefined;
  /** hosts that may get requests, and the keys of this machine in them */
  to: readonly string[];
  maxCost?: number;
  prices?: string;
  sendTokens?: boolean;
  sendOriginals?: boolean;
  store: string;
  /** variables that keep the caller's value */
  env: string[];
}

/** What the flags make live; null: nothing. Throws for what cannot be, and for a key that is known to be missing. */
export function liveOptions(tape: Tape, flags: LiveFlags, given: readonly GivenResult[]): LiveOptions | null {
  refuseUnknownStep(tape, "--live-after", flags.liveAfter === 0 ? undefined : flags.liveAfter);
  refuseUnknownStep(tape, "--fork", flags.fork);
  refuseUnknownStep(tape, "--until", flags.until);
  refuseUnknownStep(tape, "--from", flags.comparedFrom);
  refuseNothingCompared(flags);
  const asked = askedBy(flags);
  if (asked === "") return refuseWithoutLive(flags);
  refuseBoth(flags);
  const kinds = kindsOf(flags);
  if (!kinds.models && !kinds.tools) refuseUnknownNames(tape, kinds.names);
  const after = flags.fork === undefined ? (flags.liveAfter ?? null) : forkedAfter(tape, flags.fork, given, kinds);
  const edits = requestEdits(tape, flags.set, flags.store);
  for (const { step } of edits) if (step !== null && step < (after ?? 0)) throw servedStep(step + 1, after ?? 0);
  refuseWithoutKey(tape, flags, after ?? 0, (row) => kinds.models || kinds.names.includes(row));
  return { ...kinds, after, edits, asked, dropsAnswers: flags.fork !== undefined, ...limits(flags) };
}

/** What goes live where a suspended run goes on: all behind the answers that it waited for. */
export function resumeOptions(tape: Tape, flags: LiveFlags): LiveOptions {
  const after = Math.max(0, ...tape.ordered.map(({ index }) => index + 1));
  return { models: true, tools: true, names: [], after, resumes: true, edits: [], asked: "resume", ...limits(flags) };
}

function askedBy({ live, liveAfter, fork }: LiveFlags): string {
  return [
    ...live.map((name) => `--live ${name}`),
    ...(liveAfter === undefined ? [] : [`--live-after ${liveAfter}`]),
    ...(fork === undefined ? [] : [`--fork ${fork}`]),
  ].join(" ");
}

type Kinds = Pick<LiveOptions, "models" | "tools" | "names">;

function kindsOf({ live, liveAfter, fork }: LiveFlags): Kinds {
  return {
    models: live.includes("llm") || liveAfter !== undefined || fork !== undefined,
    tools: live.includes("tools"),
    names: live.filter((name) => name !== "llm" && name !== "tools"),
  };
}

function limits(
  flags: LiveFlags,
): Pick<LiveOptions, "maxCost" | "prices" | "origins" | "sendsTokens" | "sendsOriginals"> {
  const prices = flags.prices === undefined ? null : loadPrices(flags.prices);
  if (flags.maxCost !== undefined && prices === null)
    throw new CliError(
      "REEN-USAGE",
      "--max-cost needs the prices of models",
      "--prices <file>: dollars per million tokens",
    );
  return {
    maxCost: flags.maxCost ?? null,
    prices,
    origins: allowedOrigins(flags.to),
    sendsTokens: flags.sendTokens ?? false,
    sendsOriginals: flags.sendOriginals ?? false,
  };
}

const servedStep = (step: number, after: number): CliError =>
  new CliError(
    "REEN-USAGE",
    `--set prompt.${step}: step ${step} is served from the record, since what goes live begins behind step ${after}`,
    `--fork ${step}`,
  );

const isProvider = (name: string): boolean => PROVIDERS.some((row) => row.name === name);

/** A recorded answer stays what it is, whatever is done to its request. */
function refuseWithoutLive({ set, to, maxCost, prices, sendTokens, sendOriginals }: LiveFlags): null {
  const edit = set.find(isRequestEdit);
  if (edit !== undefined)
    throw new CliError(
      "REEN-USAGE",
      `--set ${oneLine(edit.split("=", 1)[0] ?? "", 80)}: nothing is live, and a recorded answer does not change with its request`,
      `add --live llm, which sends requests that are edited or not as recorded (a key and the network are needed), or --fork <step>`,
    );
  const named = [
    ["--to", to[0]],
    ["--max-cost", maxCost],
    ["--prices", prices],
    ["--send-tokens", sendTokens],
    ["--send-originals", sendOriginals],
  ].find(([, value]) => value !== undefined);
  if (named !== undefined)
    throw new CliError(
      "REEN-USAGE",
      `${String(named[0])}: nothing is live`,
      "--live llm, --live-after <step> or --fork <step>",
    );
  return null;
}

function refuseNothingCompared({ until, comparedFrom: from = 1 }: LiveFlags): void {
  if (until !== undefined && until < from)
    throw new CliError(
      "REEN-USAGE",
      `--until ${until} ends the replay before the first step that --from ${from} compares`,
      `--until ${from}, or a later step`,
    );
}

function refuseBoth({ liveAfter, fork, until, comparedFrom: from }: LiveFlags): void {
  if (liveAfter !== undefined && fork !== undefined)
    throw new CliError(
      "REEN-USAGE",
      "--live-after and --fork both say where the record ends",
      "leave out one of the two",
    );
  if (until !== undefined)
    throw new CliError(
      "REEN-USAGE",
      "--until ends a replay that nothing is live in",
      "leave out --until, or what goes live",
    );
  if (from !== undefined)
    throw new CliError(
      "REEN-USAGE",
      `--from ${from}: calls go live only behind steps that are all compared`,
      `leave out --from, or what goes live; --fork ${from} makes step ${from} anew with real calls`,
    );
}

function refuseUnknownStep(tape: Tape, option: string, step: number | undefined): void {
  const count = tape.ordered.length;
  if (step === undefined || tape.steps.has(step - 1)) return;
  throw new CliError(
    "REEN-NO-STEP",
    `${option} ${step}: the run has no such step; it has ${count}`,
    `reenact show ${tape.runId.slice(0, 8)}`,
  );
}

function refuseUnknownNames(tape: Tape, names: readonly string[]): void {
  const known = new Set(tape.ordered.flatMap(namesOf));
  const stranger = names.find((name) => !known.has(name));
  if (stranger === undefined) return;
  const list = [...known].map((name) => oneLine(name, 60)).slice(0, 12);
  throw new CliError(
    "REEN-USAGE",
    `--live ${oneLine(stranger, 60)}: the run has no provider, host, tool, step or question of this name`,
    `--live llm, --live tools${list.length === 0 ? "" : `, or one of ${list.join(", ")}`}`,
  );
}

function namesOf({ kind, name, record }: RecordedStep): string[] {
  if (kind === "HTTP") return [name.split(" ")[1] ?? ""];
  return record.exchange === undefined ? [name] : [record.op.split(".")[0] ?? ""];
}

/** A call whose result is given is served with it; another one is made anew. */
function forkedAfter(tape: Tape, fork: number, given: readonly GivenResult[], { tools, names }: Kinds): number {
  if (given.some(({ step }) => step === fork - 1)) return fork;
  refuseCovered(tape, fork);
  const step = tape.steps.get(fork - 1);
  if (step === undefined || isMadeAnew(step, tools, names) || tape.composite.has(fork - 1)) return fork - 1;
  if (step.kind === "HTTP") throw plainRequest(fork, step);
  const name = oneLine(step.name, 60);
  const form = step.kind === "INPUT" ? "input" : "tool";
  throw new CliError(
    "REEN-USAGE",
    `--fork ${fork}: step ${fork} is a call of ${name}, which is not run unless you ask for it`,
    `--set ${form}.${name}@<n>=<JSON> gives it another result, --live ${name} runs it with all that it does`,
  );
}

function isMadeAnew(step: RecordedStep, tools: boolean, names: readonly string[]): boolean {
  if (step.kind === "HTTP") return namesOf(step).some((host) => names.includes(host));
  return step.record.exchange !== undefined || tools || names.includes(step.name);
}

function plainRequest(fork: number, step: RecordedStep): CliError {
  const host = oneLine(namesOf(step)[0] ?? "", 60);
  return new CliError(
    "REEN-USAGE",
    `--fork ${fork}: step ${fork} is a plain request to ${host}, which is not sent unless you ask for it`,
    `--live ${host} sends such requests, which may change what is there`,
  );
}

/** The body of a tool without inner steps of agents does not run, and so nothing in it is made anew. */
function refuseCovered(tape: Tape, fork: number): void {
  const { under = null } = tape.steps.get(fork - 1)?.record ?? {};
  const around = under === null ? undefined : tape.steps.get(under);
  if (around === undefined || tape.composite.has(around.index)) return;
  throw new CliError(
    "REEN-USAGE",
    `--fork ${fork}: step ${fork} is inside of ${oneLine(around.name, 60)} (step ${around.index + 1}), whose body does not run`,
    `--fork ${around.index + 1} --live ${oneLine(around.name, 60)}`,
  );
}

/** Of a key that the recorded program took from the environment it is known that it is missing here. */
function refuseWithoutKey(tape: Tape, { env }: LiveFlags, after: number, isLive: (row: string) => boolean): void {
  const models = tape.ordered.filter(({ record, index }) => record.exchange !== undefined && index >= after);
  const rows = new Set(models.map(({ record }) => record.op.split(".")[0] ?? ""));
  for (const name of rows) {
    if (!isProvider(name) || !isLive(name)) continue;
    const { keys, title } = provider(name);
    const recorded = keys.filter((key) => isRecordedKey(tape.root.environment?.[key]));
    const isHere = keys.some((key) => seesOwnValue(tape, key, process.env, env)) || env.length > 0;
    if (recorded.length === 0 || isHere) continue;
    throw new CliError(
      "REEN-NO-KEY",
      `no key: the recorded program took its key for ${title} from ${recorded.join(", ")}, which is not set here or is shorter than 8 characters, and live calls need one`,
      `${recorded[0] ?? ""}=… reenact replay …`,
    );
  }
}

const isRecordedKey = (value: unknown): boolean => typeof value === "string" && value !== "";
