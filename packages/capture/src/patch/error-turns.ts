import { isNativeError } from "node:util/types";
import { runOfContext, type RunContext } from "../run/context.ts";
import { guarded } from "../fault/faults.ts";
import type { TurnKind } from "../source/gate.ts";

const turns = new WeakMap<object, TurnKind>();
const MOST_CAUSES = 4;
const MOST_ERRORS = 16;

/**
 * Remembers the kind of turn in which an error left a recorded function: its stack may be read in another turn, or outside the
 * run. The first call for an error counts. Reads only its causes and `errors`.
 */
export function noteTurn(run: RunContext, error: unknown): void {
  guarded("stacks", undefined, () => note(error, run.source.gate.turn, 0));
}

function note(error: unknown, kind: TurnKind, depth: number): void {
  if (!isNativeError(error) || turns.has(error) || depth > MOST_CAUSES) return;
  turns.set(error, kind);
  note(Object.getOwnPropertyDescriptor(error, "cause")?.value, kind, depth + 1);
  const errors: unknown = Object.getOwnPropertyDescriptor(error, "errors")?.value;
  if (Array.isArray(errors)) for (const each of errors.slice(0, MOST_ERRORS)) note(each, kind, depth + 1);
}

/** The kind of turn in which an error was made; null: outside every run. */
export function turnOf(error: unknown): TurnKind | null {
  const noted = isNativeError(error) ? turns.get(error) : undefined;
  if (noted !== undefined) return noted;
  const run = runOfContext();
  return run?.source.gate.turn ?? null;
}
