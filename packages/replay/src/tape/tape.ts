import {
  isInbound,
  type RunMetadata,
  metadataOf,
  type MetadataScopes,
  type ValueMarks,
} from "@reenact/capture/recorder";
import {
  ATTR,
  endTime,
  EnvelopeError,
  type JournalEvent,
  type RecordedError,
  type StepRecord,
} from "@reenact/envelope";
import { DIED_BEHIND_ANSWER, type Envelope } from "@reenact/envelope/file";
import { type LostInputs, lostInputs } from "./lost-inputs.ts";
import type { DatabasesFacts, FilesFacts, OutputFacts } from "@reenact/node";
import type { Originals } from "@reenact/node/vault";
import type { Terminals } from "../child/recorded-terminals.ts";
import { SlotPlaces } from "./slot-places.ts";

export interface RecordedStep {
  /** number in the recorded run */
  readonly index: number;
  readonly record: StepRecord;
  readonly kind: string;
  readonly name: string;
  /** body of the request as text, where it was text */
  readonly input: string | null;
  readonly output: string | null;
  readonly spanId: string;
  /** the caller gives it another result: what it returned or threw, and what it returns now, in words */
  readonly given?: { readonly recorded: string; readonly now: string };
  /** Unix time in nanoseconds; absent in a tape that was not read from spans */
  readonly started?: bigint;
  readonly ended?: bigint;
}

/** The originals of a run, or why there are none at hand. */
export type TapeVault = { readonly originals: Originals } | { readonly problem: string; readonly next: string };

/** What a replay needs of one recorded run, indexed. */
export interface Tape {
  readonly runId: string;
  readonly steps: ReadonlyMap<number, RecordedStep>;
  /** steps of one place, by `SlotPlaces` key, in order of their start */
  readonly places: ReadonlyMap<string, readonly RecordedStep[]>;
  /** all attempts, in order of their start */
  readonly ordered: readonly RecordedStep[];
  readonly journal: readonly JournalEvent[];
  readonly root: RootFacts;
  /** flags, user, session and tags of the run; undefined: not known */
  readonly metadata?: RunMetadata;
  /** when the run began, milliseconds */
  readonly started?: number;
  /** how long it took; absent: not known */
  readonly seconds?: number;
  readonly status: string;
  readonly complete: boolean;
  readonly incompleteReasons: readonly string[];
  readonly lost?: LostInputs | null;
  /** originals of what was redacted; absent: they were not looked up */
  readonly vault?: TapeVault;
  /** numbers of tool and step() calls with an agentic step beneath them */
  readonly composite: ReadonlySet<number>;
}

/** An effect or input outside every recorded step. */
export interface RecordedLeak {
  kind: string;
  target: string;
  count: number;
  /** position in the journal of the first, and of further ones */
  at: number;
  more?: number[];
  scope: number;
  stack: string;
  /** installed package whose code did it */
  by?: string;
  /** of a thread: how many connections it has asked for */
  connections?: number;
  /** it happened in the flow of a timer without an agentic step: the position where that timer was set */
  since?: number;
}

export interface RootFacts {
  trigger?: string;
  /** the process's run, written because of its `agent()` calls alone */
  surrounding?: true;
  name?: string;
  sequence?: number;
  /** of an `agent()` call: id of the run of the request or job whose code made it */
  calledIn?: string;
  instance?: string;
  process?: {
    entry?: string;
    cwd?: string;
    argv?: string[];
    node?: string;
    tz?: string;
    locale?: string;
    /** `LC_ALL` and others as they were; null: not set */
    localeVariables?: Record<string, string | null>;
    exitCode?: number | null;
    /** it ended since it had nothing more to do */
    drained?: boolean;
    pid?: number;
    ppid?: number;
    terminals?: Terminals;
    /** name of the machine, where a run had asked for it */
    host?: string;
  };
  environment?: Record<string, unknown>;
  /** names of all variables in their order, where a run has listed them */
  environmentNames?: string[];
  /** name of what launched the recorded process, as in `REENACT_LAUNCH` */
  launch?: string;
  stdout?: OutputFacts;
  stderr?: OutputFacts;
  files?: FilesFacts;
  databases?: DatabasesFacts;
  /** false: some wake-ups of the agent left no trace, so that their order is not known */
  wakeUpsWatched?: boolean;
  /** the journal has the delays that timers were set to */
  delays?: boolean;
  /** versions of the provider SDKs */
  sdks?: Record<string, string>;
  lockfile?: { name: string; sha256: string };
  leaks?: RecordedLeak[];
  tools?: { unrecorded?: number };
  said?: MetadataScopes;
  input?: string;
  output?: string;
  inputMarks?: ValueMarks;
  outputMarks?: ValueMarks;
  threw?: boolean;
  journal?: { lane: string; from: number; events: string };
  replay?: { of: string; mode: string; verdict: string };
  lossy?: string[];
  error?: RecordedError;
  /** the process's run, which ended when it served its first requests */
  startUp?: boolean;
  /** the recorded process died before the run had ended, or, with `answered`, right behind its answer */
  died?: boolean;
  answered?: boolean;
}

const AGENTIC = new Set(["LLM", "TOOL", "RETRIEVER", "RERANKER", "EMBEDDING", "INPUT", "GUARDRAIL"]);

const isAgentic = ({ kind, record }: RecordedStep): boolean => AGENTIC.has(kind) && !isDecision(record);

/** Throws `NOT_REPLAYABLE` for a run that others made. */
export function tapeOf(envelope: Envelope): Tape {
  if (envelope.foreign)
    throw new EnvelopeError(
      "NOT_REPLAYABLE",
      `run ${envelope.id}`,
      "other instrumentation made it: it has no exchanges",
    );
  const steps = new Map<number, RecordedStep>();
  for (const { span, record } of envelope.steps) {
    const { attributes } = span;
    steps.set(record.step, {
      index: record.step,
      record,
      kind: text(attributes[ATTR.kind]) ?? "",
      name: span.name,
      input: text(attributes[ATTR.inputValue]),
      output: text(attributes[ATTR.outputValue]),
      spanId: span.spanId,
      started: span.startUnixNano,
      ended: span.endUnixNano,
    });
  }
  const composite = new Set<number>();
  for (const step of steps.values()) {
    if (!isAgentic(step)) continue;
    for (let under = step.record.under; under !== null; under = steps.get(under)?.record.under ?? null)
      composite.add(under);
  }
  const ordered = [...steps.values()].sort((a, b) => a.index - b.index);
  const keys = new SlotPlaces();
  return {
    runId: envelope.id,
    steps,
    ordered,
    places: Map.groupBy(ordered, (s) => keys.key(s.record.path, s.record.op)),
    journal: envelope.journals.get("0")?.events ?? [],
    root: rootOf((envelope.facts ?? {}) as RootFacts),
    metadata: metadataOf(envelope.root?.attributes ?? {}),
    started: Number(BigInt(envelope.manifest.started) / 1_000_000n),
    ...secondsOf(envelope),
    status: envelope.manifest.status,
    complete: envelope.complete || isWholeUntilAnswer(envelope),
    incompleteReasons: envelope.incompleteReasons,
    lost: lostInputs(envelope),
    composite,
  };
}

/** The process died right behind the answer of the run: a replay ends there too. */
function isWholeUntilAnswer({ facts, incompleteReasons }: Envelope): boolean {
  return facts?.answered === true && incompleteReasons.every((why) => why === DIED_BEHIND_ANSWER);
}

function secondsOf({ manifest: { started, ended } }: Envelope): { seconds?: number } {
  const start = BigInt(started);
  const end = endTime(start, BigInt(ended ?? 0));
  return end === null ? {} : { seconds: Number(end - start) / 1e9 };
}

/** A process is replayed as a process, whether it took agentic steps or only surrounds its `agent()` calls. */
function rootOf(facts: RootFacts): RootFacts {
  return facts.trigger === "surrounding" ? { ...facts, trigger: "process", surrounding: true } : facts;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Whether somebody asked the process for the run: by a call of an `agent()`, a request to its server, or a job. */
export function isRequested({ trigger }: Pick<RootFacts, "trigger">): boolean {
  return trigger === "function" || isInbound(trigger);
}

/** Whether a step was made by the body of one of these, or by what that called. */
export function isBeneath(tape: Tape, { record }: RecordedStep, steps: ReadonlySet<number>): boolean {
  for (let under = record.under; under !== null; under = tape.steps.get(under)?.record.under ?? null)
    if (steps.has(under)) return true;
  return false;
}

/** Slot of a step, without its attempt: `path|op|n`. */
export function slotOf(record: Pick<StepRecord, "path" | "op" | "n">): string {
  return `${record.path === "" ? "" : `${record.path}/`}${record.op}|${record.n}`;
}

/** Whether a step holds what a person decided, as a library was told: the program decides in a replay too. */
export const isDecision = ({ op }: Pick<StepRecord, "op">): boolean => op.startsWith("decision:");

/** Whether the recorded process read its standard input. */
export function readsInput({ root }: Tape): boolean {
  return root.leaks?.some(({ kind }) => kind === "stdin") === true;
}
