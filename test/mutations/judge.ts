import type { Bench, Outcome } from "./bench.ts";
import type { Control, Edit } from "./edit.ts";

export interface Judgement {
  readonly id: string;
  readonly class: string | null;
  /** an edit was found; a control gave no alarm */
  readonly found: boolean;
  readonly rightStep: boolean;
  readonly rightClass: boolean;
  readonly nextRuns: boolean;
  /** what the report said */
  readonly said: string;
  /** what it should have said */
  readonly wanted: string;
}

export const isRight = (j: Judgement): boolean => j.found && j.rightStep && j.rightClass && j.nextRuns;

/** Compares what a replay said of a case with what is right for it; null where it could not be replayed. */
export async function judge(bench: Bench, id: string, one: Edit | Control): Promise<Judgement | null> {
  const outcome = await bench.replay(one);
  if (outcome === null) return null;
  const said = words(outcome);
  const { report, code, stdout } = outcome;
  if (one.class === null) {
    const found = code === 0 && report !== null && isIdentical(report.verdict) && stdout === bench.stdout;
    const other = found || stdout === bench.stdout ? "" : ", with another output";
    const wanted = "identical";
    return { id, class: null, found, rightStep: true, rightClass: true, nextRuns: true, said: said + other, wanted };
  }
  const divergence = report?.divergence ?? null;
  const found = code === 10 && report?.verdict === "diverged" && divergence !== null;
  return {
    id,
    class: one.class,
    found,
    rightStep: found && one.step.includes(divergence.step),
    rightClass: found && one.verdict.includes(divergence.verdict),
    nextRuns: found && (await bench.type(divergence.next)) === 0,
    said,
    wanted: `step ${one.step.join(" or ")}, ${one.verdict.join(" or ")}`,
  };
}

/** Values that are compared by place only are named behind the word. */
const isIdentical = (verdict: string): boolean => /^identical(?: \(\d+ values? by place\))?$/.test(verdict);

function words({ report, code, stderr }: Outcome): string {
  if (report === null) return `no report, exit ${code}: ${stderr.slice(0, 300)}`;
  const { verdict, divergence, stopped, findings } = report;
  if (divergence === null) {
    const why = stopped === null ? findings.join() : `${stopped.reason}: ${stopped.message}`;
    return `${verdict}, exit ${code}${why === "" ? "" : ` (${why})`}`;
  }
  const pointer = divergence.pointer ? ` at ${divergence.pointer}` : "";
  return `step ${divergence.step}, ${divergence.verdict}${pointer}: ${divergence.cause} [next: ${divergence.next}]`;
}
