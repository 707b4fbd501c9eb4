import { changedFiles } from "../effects/changed-files.ts";
import type { Continuation } from "../live/continuation.ts";
import type { Tape } from "../tape/tape.ts";
import type { ReplayReport } from "./replay-report.ts";

/** Adds files that have changed since, which may be why it diverged, or that the recording ends before the run. */
export function completedReport(
  judged: ReplayReport,
  target: Tape,
  asRecorded: ReadonlySet<string>,
  continuation: Continuation | null,
): ReplayReport {
  const unused = judged.stopped === null ? (continuation?.unused ?? []) : [];
  const report = { ...judged, notes: [...judged.notes, ...unused] };
  const changed = report.verdict === "diverged" ? changedFiles(target, !!report.divergence?.pointer, asRecorded) : null;
  if (changed !== null) return { ...report, notes: [...report.notes, changed] };
  if (report.verdict !== "incomplete" || report.stopped !== null) return report;
  const message = `the recording ends here: ${target.incompleteReasons[0] ?? target.status}`;
  return { ...report, stopped: { reason: "recording-ends", message } };
}
