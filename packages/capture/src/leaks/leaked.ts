import { effectFrame, type RunContext } from "../run/context.ts";
import { guarded } from "../fault/faults.ts";
import type { LeakKind } from "./unrecorded-effects.ts";
import { isLoadingProgram } from "./program-loading.ts";

const MOST_KNOWN = 1000;

/** What each run is known to leak: only the first time needs a look at the stack. */
const known = new WeakMap<RunContext, Set<string>>();

/** Whether the run of the running code is known to have read this file. */
export function hasRead(path: string): boolean {
  const run = effectFrame()?.run ?? null;
  return run !== null && known.get(run)?.has(`read ${path}`) === true;
}

/**
 * Counts an effect or input of the running code that no step holds; nothing outside a run, or while code is loaded, unless
 * that is what counts. Returns whether it was counted.
 */
export function leaked(kind: LeakKind, target: string, isLoad = false): boolean {
  const frame = effectFrame();
  if (frame === null) return false;
  const run = frame.run;
  let seen = known.get(run);
  if (seen === undefined) known.set(run, (seen = new Set()));
  const key = `${kind} ${target}`;
  if (!seen.has(key)) {
    // the list is full
    if (seen.size >= MOST_KNOWN || (!isLoad && isLoadingProgram())) return false;
    seen.add(key);
  }
  guarded("leaks", undefined, () => run.leaks.add(kind, target, run.journal.position, frame.scope));
  return true;
}
