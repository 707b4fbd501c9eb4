import { guarded } from "../fault/faults.ts";
import type { RunFrame } from "../run/context.ts";

/**
 * Notes, for a child that begins now, how the files of the run are. The answer, called when the child has ended, counts those that
 * are others by then as written in the step of the child, too: a replay, which does not start it, cannot compare them.
 */
export function watchWrittenFiles({ run, scope }: RunFrame): () => void {
  const before = guarded("child", null, () => run.files.marks());
  return () => guarded("child", undefined, () => before !== null && run.files.changedSince(before, scope));
}
