import type { Position } from "../journal/journal.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import type { RunFacts } from "./close-policy.ts";
import type { Slices } from "./slices.ts";
import type { SpanTable } from "./span-table.ts";

/** A run of which spans have come and that is not sealed yet; also one whose late spans have come after sealing. */
export interface OpenRun {
  readonly tenant: string;
  /** run id; the trace id while no span of ours is among its spans */
  id: string;
  /** a span carries the run id */
  own: boolean;
  /** traces of its own spans */
  readonly traces: string[];
  /** traces of which it has spans that others made and that may be sealed already, with another run */
  readonly again: string[];
  /** chain in the span table */
  head: number;
  /** how often spans were taken out of the chain, which puts the others into another order */
  parted: number;
  spans: number;
  bytes: number;
  /** of the entry with its first span */
  position: Position;
  /** when its first and last span were received, milliseconds since the epoch */
  firstReceived: number;
  lastReceived: number;
  /** when it was opened, by the same clock as `lastSeen` */
  readonly opened: number;
  /** when the last one was seen here: idle time counts from this, so that a restart gives every run its time again */
  lastSeen: number;
  /** what the root says: how many steps there are; null: no root, or it does not say */
  steps: number | null;
  /** parent of the root, 0n: none */
  above: bigint;
  rootEnded: boolean;
  pressed: boolean;
  /** when the policy is to be asked next, by the same clock as `lastSeen` */
  due: number;
  /** a question to the catalog is under way */
  asking: boolean;
  /** number of spans when `allSteps` was found out */
  stepsChecked: number;
  allSteps: boolean;
  /** number of spans when `wholeGraph` was found out */
  graphChecked: number;
  wholeGraph: boolean;
}

export function openRun(input: {
  tenant: string;
  id: string;
  position: Position;
  received: number;
  now: number;
  /** milliseconds since it was received */
  age: number;
}): OpenRun {
  return {
    tenant: input.tenant,
    id: input.id,
    own: false,
    traces: [],
    again: [],
    head: -1,
    parted: 0,
    spans: 0,
    bytes: 0,
    position: input.position,
    firstReceived: input.received,
    lastReceived: input.received,
    opened: input.now - input.age,
    lastSeen: input.now,
    steps: null,
    above: 0n,
    rootEnded: false,
    pressed: false,
    due: input.now,
    asking: false,
    stepsChecked: -1,
    allSteps: false,
    graphChecked: -1,
    wholeGraph: false,
  };
}

/**
 * What the close policy asks of a run. `quiet`: nothing has come for the settling time, so the graph is worth a walk.
 * `hasSpan` says whether a span that others made in its traces is here. Between slices the run may only have grown.
 */
export function* factsOf(
  run: OpenRun,
  table: SpanTable,
  quiet: boolean,
  hasSpan: (id: bigint) => boolean,
): Slices<RunFacts> {
  // Walks cost time per span: once per state, and only where the answer can be yes.
  const { spans } = run;
  if (run.stepsChecked !== spans && run.rootEnded && run.steps !== null && spans > run.steps) {
    run.allSteps = (yield* table.steps(run.head)) >= run.steps;
    run.stepsChecked = spans;
  }
  if (quiet && run.rootEnded && run.graphChecked !== spans) {
    run.wholeGraph = yield* table.isConnected(run.head, run.above);
    run.graphChecked = spans;
  }
  const complete = run.allSteps && run.stepsChecked === run.spans;
  return {
    first: run.opened,
    last: run.lastSeen,
    rootEnded: run.rootEnded,
    complete,
    awaitsContext: complete && run.above !== 0n && !hasSpan(run.above),
    connected: quiet && run.wholeGraph && run.graphChecked === run.spans,
    pressed: run.pressed,
  };
}

/** An open run, for those who want to show it. Times are milliseconds since the epoch. */
export interface OpenRunView {
  readonly tenant: string;
  readonly run: string;
  readonly own: boolean;
  readonly spans: number;
  readonly bytes: number;
  readonly firstReceived: number;
  readonly lastReceived: number;
  readonly state: "open" | "sealing";
  /** marks and removals that are not yet stored with a sealed revision */
  readonly marks: readonly MarkChange[];
}

function viewOf(run: OpenRun, state: "open" | "sealing", marks: readonly MarkChange[]): OpenRunView {
  const { tenant, id, own, spans, bytes, firstReceived, lastReceived } = run;
  return { tenant, run: id, own, spans, bytes, firstReceived, lastReceived, state, marks };
}

/** The runs of a tenant whose ids have this prefix, newest first, at most so many. Both inputs are in order of opening. */
export function newestViews(
  { open, sealing }: { open: Iterable<OpenRun>; sealing: Iterable<OpenRun> },
  { tenant, prefix, most }: { tenant: string; prefix: string; most: number },
  marksOf: (run: OpenRun) => readonly MarkChange[],
): OpenRunView[] {
  const last = (runs: Iterable<OpenRun>, state: OpenRunView["state"]): OpenRunView[] => {
    const found: OpenRunView[] = [];
    const all = [...runs];
    for (let n = all.length - 1; n >= 0 && found.length < most; n--) {
      const run = all[n]!;
      if (run.tenant === tenant && run.id.startsWith(prefix)) found.push(viewOf(run, state, marksOf(run)));
    }
    return found;
  };
  const views = [...last(open, "open"), ...last(sealing, "sealing")];
  return views.toSorted((a, b) => b.firstReceived - a.firstReceived).slice(0, most);
}
