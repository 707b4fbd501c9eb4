import { effectFrame } from "../context.ts";
import { guarded } from "../guard.ts";
import type { LeakKind } from "../leak-book.ts";
import type { Run } from "../run.ts";
import { isLoadingProgram } from "./program-loading.ts";

const MOST_KNOWN = 1000;

/** What each run is known to leak: only the first time needs a look at the stack. */
const known = new WeakMap<Run, Set<string>>();

/**
 * Counts an effect or input of the running code that no step holds; nothing outside a run, or while code is loaded, unless
 * that is what counts.
 */
export function leaked(kind: LeakKind, target: string, isLoad = false): void {
  const frame = effectFrame();
  if (frame === null) return;
  const run = frame.run as Run;
  let seen = known.get(run);
  if (seen === undefined) known.set(run, (seen = new Set()));
  const key = `${kind} ${target}`;
  if (!seen.has(key)) {
    // the book holds no more
    if (seen.size >= MOST_KNOWN || (!isLoad && isLoadingProgram())) return;
    seen.add(key);
  }
  guarded("leaks", undefined, () => run.leaks.add(kind, target, run.journal.position, frame.scope));
}
