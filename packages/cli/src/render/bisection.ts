import type { ReplayReport } from "@reenact/replay";
import { oneLine, safe } from "@reenact/view";
import { type Revision, shortRevision } from "../bisect/git-history.ts";
import type { Paint } from "./painter.ts";

/** What a bisection found. `bisect --json` prints it; fields are only ever added. */
export interface Bisection {
  readonly schemaVersion: 1;
  readonly good: Revision;
  readonly bad: Revision;
  /** the first revision whose replay is not that of `good`; null: it is one of `candidates` */
  readonly first: Revision | null;
  readonly candidates: readonly Revision[];
  /** every replay, in its order */
  readonly tried: TriedRevision[];
  readonly interrupted: boolean;
}

export interface TriedRevision {
  readonly revision: Revision;
  /** null: it could not be replayed */
  readonly verdict: ReplayReport["verdict"] | null;
  /** why not */
  readonly why: string;
  readonly report: ReplayReport | null;
}

const WIDTH = 100;

/** One line of progress. */
export function triedLine({ revision, verdict, why }: TriedRevision, paint: Paint): string {
  const mark =
    verdict === "identical" ? paint("green", "✓") : verdict === null ? paint("yellow", "?") : paint("red", "✗");
  const said = verdict ?? `cannot be replayed: ${oneLine(why, WIDTH)}`;
  return `${mark} ${shortRevision(revision)}  ${said}  ${paint("dim", oneLine(revision.subject, 60))}\n`;
}

export function printBisection(found: Bisection, paint: Paint): string {
  const { first, candidates, good, tried, interrupted } = found;
  if (first === null) {
    const why = interrupted ? "stopped before the end" : "revisions between cannot be replayed";
    const listed = candidates.slice(0, 20).map((one) => `  ${shortRevision(one)}  ${oneLine(one.subject, WIDTH)}\n`);
    const more = candidates.length > listed.length ? `  … and ${candidates.length - listed.length} more\n` : "";
    return `${paint("yellow", "?")} ${why}; the first revision with another replay is one of:\n${listed.join("")}${more}`;
  }
  const report = tried.find(({ revision }) => revision.id === first.id)?.report;
  const d = report?.divergence;
  const lines = [
    `${paint("red", "✗")} ${shortRevision(first)} is the first revision whose replay is not that of ${shortRevision(good)}`,
    `  ${oneLine(first.subject, WIDTH)}`,
    `  ${oneLine(first.author, 60)}, ${first.date}`,
    ...(d ? [`  ${d.step === null ? "" : `step ${d.step}  `}${safe(d.verdict)}`, `  cause: ${safe(d.cause)}`] : []),
    ...(d || !report ? [] : [`  ${report.verdict}`]),
    `  next: git show ${shortRevision(first)}`,
  ];
  return `${lines.join("\n")}\n`;
}
