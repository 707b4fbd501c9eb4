import type { ReplayReport } from "./replay-report.ts";
import { isRequested, type Tape } from "../tape/tape.ts";

/** Verdicts of what comes earlier or later than when it was recorded. */
const BY_ORDER: ReadonlySet<string> = new Set(["reordered", "order", "draw", "delay-changed", "unfinished"]);

/** What is used of the record of a run. `started`: ms of the epoch; `seconds`: absent where the run has no end. */
type RecordedRun = Pick<Tape, "runId" | "started" | "seconds"> & { readonly root: Pick<Tape["root"], "trigger"> };

/**
 * Says of a run that came in another order that other runs of its process went on when it was recorded. What they share in the
 * program (a limit on calls, a queue, a cache) is in no record: a call that waited there for another run comes earlier in a
 * replay, where that run is not.
 */
export function withRunsAtOnce(report: ReplayReport, runs: readonly RecordedRun[]): ReplayReport {
  const { divergence } = report;
  if (divergence === null || !BY_ORDER.has(divergence.verdict)) return report;
  const own = runs.find(({ runId }) => runId === (divergence.run ?? report.parent));
  if (own === undefined) return report;
  const count = runs.filter((each) => each !== own && isRequested(each.root) && areAtOnce(each, own)).length;
  if (count === 0) return report;
  const others = count === 1 ? "another run of the process" : `${count} other runs of the process`;
  const note =
    `${others} went on when this one was recorded: where they share a limit, a queue or a cache, a call that waited ` +
    "for another run comes earlier here, also if the code is the same";
  return { ...report, notes: [...report.notes, note] };
}

/**
 * Says of a run that is another one without the earlier runs of its process that these are missing: it may wait for a connection of a
 * full pool that one of them opened. `count`: how many were not asked for, since the user wants none.
 */
export function withLeftOut(report: ReplayReport, count: number): ReplayReport {
  if (report.divergence === null || count === 0) return report;
  const were = count === 1 ? "one earlier run of the process was" : `${count} earlier runs of the process were`;
  const note =
    `${were} not asked for first (--cold): what such a run left in memory, and a connection of a pool that it opened, is ` +
    "missing here; the same command without --cold asks for it";
  return { ...report, notes: [...report.notes, note] };
}

function areAtOnce(a: RecordedRun, b: RecordedRun): boolean {
  return startOf(a) < endOf(b) && startOf(b) < endOf(a);
}

const startOf = ({ started }: RecordedRun): number => started ?? Infinity;
const endOf = (run: RecordedRun): number => startOf(run) + (run.seconds ?? Infinity) * 1000;
