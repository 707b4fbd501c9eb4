import type { RunFacts, RunMetadata, StepDraft, StepFacts } from "@reenact/capture/recorder";
import { type JournalPart, type ScannedSpan, scanTraces } from "@reenact/envelope";
import { mergeMetadata } from "../spool/merge-metadata.ts";
import { readDraft } from "../spool/draft-frame.ts";
import { type Frame, type FrameKind, readFrames } from "../spool/frame.ts";
import { readTargets, type Target } from "../spool/target.ts";
import type { Origin } from "../span/encode-ended-span.ts";
import { stepSpan } from "./step-span.ts";

/** What one spool file says of one run. */
export interface SpooledRun {
  readonly run: string;
  facts: RunFacts | null;
  metadata: RunMetadata;
  /** what it was asked, in its redacted typed encoding; null: it is not known */
  input: string | null;
  /** of the journal, what no step of the file carries; null: nothing */
  journal: { readonly from: number; readonly events: string } | null;
  readonly begun: Map<number, StepFacts>;
  readonly settled: Map<number, { position: number; at: number }>;
  /** by span id, what was known of a step when its request went out */
  readonly requests: Map<string, StepDraft>;
  /** by step number, what steps that have not ended have yielded, up to the first value that is not there */
  readonly yields: Map<number, string[]>;
  readonly spans: ScannedSpan[];
  /** the root when the answer had gone out; null: none was written, or a later one was */
  answered: { readonly root: ScannedSpan; readonly isWhole: boolean } | null;
}

export interface SpoolContent {
  readonly instance: string | null;
  readonly launch: string | null;
  readonly pid: number | null;
  readonly origin: Origin;
  /** where its process was told to send it */
  readonly targets: readonly Target[];
  /** its process ended in good order */
  readonly closed: boolean;
  /** root facts of every run of the process that were known early */
  readonly early: Record<string, unknown>;
  readonly runs: Map<string, SpooledRun>;
  /** last sign of life, epoch ms; 0: none */
  readonly alive: number;
  readonly damage: readonly string[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface SpoolReading {
  readonly content: SpoolContent;
  take(frame: Frame): void;
}

/** Reads a spool file, whole or torn. A whole frame with invalid content is reported as damage. */
export function readSpool(file: Buffer): SpoolContent {
  const { frames, damage } = readFrames(file);
  const reading = spoolReading((run, span) => run.spans.push(span), damage);
  for (const frame of frames) reading.take(frame);
  return reading.content;
}

/** Takes a spool file frame by frame; `keep` is given each span, in the turn of its frame. */
export function spoolReading(keep: (run: SpooledRun, span: ScannedSpan) => void, damage: string[] = []): SpoolReading {
  const runs = new Map<string, SpooledRun>();
  const out: Mutable<SpoolContent> = {
    instance: null,
    launch: null,
    pid: null,
    origin: { resource: {}, scope: { name: "" } },
    targets: [],
    closed: false,
    early: {},
    runs,
    alive: 0,
    damage,
  };
  const alive = (at: unknown): void => {
    if (typeof at === "number" && at > out.alive) out.alive = at;
  };
  const runOf = (run: string): SpooledRun => {
    let known = runs.get(run);
    if (known === undefined) {
      if (!/^[0-9a-f]{32}$/.test(run)) throw new TypeError("not a run id");
      const maps = { begun: new Map(), settled: new Map(), requests: new Map(), yields: new Map() };
      known = { run, facts: null, metadata: {}, input: null, journal: null, ...maps, spans: [], answered: null };
      runs.set(run, known);
    }
    return known;
  };

  /** runs by the spans of their requests: a process may have a hundred thousand runs */
  const requesters = new Map<string, SpooledRun>();
  const requestOf = (spanId: string): StepDraft | undefined => requesters.get(spanId)?.requests.get(spanId);

  const readers: Readonly<Record<FrameKind, (payload: Buffer) => void>> = {
    open(payload) {
      const opening = JSON.parse(payload.toString()) as Record<string, unknown>;
      const { instance, launch, pid, resource, scope } = opening;
      out.targets = readTargets(opening["to"]);
      if (typeof instance === "string") out.instance = instance;
      if (typeof launch === "string") out.launch = launch;
      if (typeof pid === "number") out.pid = pid;
      out.origin = { resource: resource ?? {}, scope: scope ?? { name: "" } } as Origin;
    },
    facts(payload) {
      out.early = JSON.parse(payload.toString()) as Record<string, unknown>;
    },
    started(payload) {
      const facts = JSON.parse(payload.toString()) as RunFacts;
      runOf(facts.id).facts = facts;
      alive(facts.started);
    },
    begin(payload) {
      const { journal, ...step } = JSON.parse(payload.toString()) as StepFacts;
      const run = runOf(step.run);
      run.begun.set(step.step, step);
      if (journal !== undefined) run.journal = withPart(run.journal, journal);
      alive(step.started);
    },
    settle(payload) {
      const [run, step, position, at] = JSON.parse(payload.toString()) as [string, number, number, number];
      runOf(run).settled.set(step, { position, at });
      alive(at);
    },
    request(payload) {
      const draft = readDraft(payload, () => undefined);
      const run = runOf(draft.run);
      run.requests.set(draft.spanId, draft);
      requesters.set(draft.spanId, run);
    },
    yield(payload) {
      const [run, step, at, value] = JSON.parse(payload.toString()) as [string, number, number, string];
      const { yields } = runOf(run);
      let known = yields.get(step);
      if (known === undefined) yields.set(step, (known = []));
      if (at === known.length) known.push(value);
    },
    step(payload) {
      const draft = readDraft(payload, (spanId) => requestOf(spanId));
      const run = runOf(draft.run);
      run.requests.delete(draft.spanId);
      requesters.delete(draft.spanId);
      run.yields.delete(draft.record.step);
      // it has what came since the step before
      run.journal = null;
      keep(run, stepSpan(draft, out.origin));
      alive(draft.ended);
    },
    span(payload) {
      const line = payload.indexOf(10);
      const run = runOf(payload.toString("utf8", 0, line));
      run.answered = null;
      for (const span of scanTraces(payload.subarray(line + 1))) keep(run, span);
    },
    answered(payload) {
      const line = payload.indexOf(10);
      const [run = "", isWhole] = payload.toString("utf8", 0, line).split(" ");
      const [root] = scanTraces(payload.subarray(line + 1));
      if (root !== undefined) runOf(run).answered = { root, isWhole: isWhole === "1" };
    },
    metadata(payload) {
      const { run: id, ...metadata } = JSON.parse(payload.toString()) as RunMetadata & { run: string };
      const run = runOf(id);
      run.metadata = mergeMetadata(run.metadata, metadata);
    },
    input(payload) {
      const line = payload.indexOf(10);
      runOf(payload.toString("utf8", 0, line)).input = payload.toString("utf8", line + 1);
    },
    heartbeat: (payload) => alive(payload.readDoubleLE(0)),
    over(payload) {
      const run = runOf(payload.toString());
      if (run.answered !== null) keep(run, run.answered.root);
      // the sender of a process keeps every run of it, and there may be a hundred thousand: it must hold little of each
      Object.assign(run, { answered: null, input: null, journal: null });
    },
    closed() {
      out.closed = true;
    },
  };

  return {
    content: out,
    take({ kind, payload }) {
      try {
        readers[kind](payload);
      } catch (error) {
        damage.push(`a ${kind} frame cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

/** Null where a part before this one is not there: positions behind a gap are of no use. */
function withPart(known: SpooledRun["journal"], { from, at, events }: JournalPart): SpooledRun["journal"] {
  const before = known?.from === from ? known.events : "";
  return before.length === at ? { from, events: before + events } : null;
}
