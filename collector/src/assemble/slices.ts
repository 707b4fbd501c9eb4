import { setImmediate as nextTurn } from "node:timers/promises";

/** Spans that are looked at before others get their turn: a few milliseconds, where nothing is compiled yet. */
export const SLICE = 4_096;

/** Work that stops after each slice, and has a result. */
export type Slices<T> = Generator<undefined, T>;

/** The result at once, without a break. */
export function whole<T>(work: Slices<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** The result, with a turn of the event loop between slices. null: `isWorth` said no before the end. */
export async function inTurns<T>(work: Slices<T>, isWorth: () => boolean = () => true): Promise<T | null> {
  while (isWorth()) {
    const { done, value } = work.next();
    if (done === true) return value;
    // oxlint-disable-next-line no-await-in-loop -- one slice after another
    await nextTurn();
  }
  return null;
}
