import type { Tape } from "./tape.ts";

/** Number of the step that stands for this one: itself, or the nearest one around it that the program has made, where a served body hides it. */
export function askedStep(tape: Tape, index: number, isMade: (index: number) => boolean): number {
  for (let at: number | null = index; at !== null; at = tape.steps.get(at)?.record.under ?? null)
    if (isMade(at)) return at;
  return index;
}
