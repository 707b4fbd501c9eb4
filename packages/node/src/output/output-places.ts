/** More changes than these are not kept. */
const MOST = 500;

/**
 * Where in the order of a run its output was written: how many answers outside tool bodies had been delivered by then.
 * Kept as changes only, three numbers each: line and byte within the line from which on it holds, answers delivered.
 * All count from 0. A line that is written in several parts is the same as one that is written at once.
 */
export class OutputPlaces {
  readonly #changes: number[] = [];
  #line = 0;
  #column = 0;
  #settles = 0;
  #written = false;
  #stopped = false;

  /** `settles`: null where the write belongs to no run or to another one, whose order is its own. */
  wrote(data: string | Uint8Array, settles: number | null): void {
    this.#written = true;
    if (settles === null) this.#stopped = true;
    else if (settles !== this.#settles && !this.#stopped) {
      if (this.#changes.length >= MOST * 3) this.#stopped = true;
      else this.#changes.push(this.#line, this.#column, settles);
      this.#settles = settles;
    }
    const last = typeof data === "string" ? data.lastIndexOf("\n") : data.lastIndexOf(10);
    if (last !== -1) [this.#line, this.#column] = [this.#line + lineEnds(data), 0];
    this.#column += Buffer.byteLength(data.slice(last + 1));
  }

  facts(): { places: number[] } | Record<string, never> {
    return this.#written ? { places: this.#changes } : {};
  }
}

function lineEnds(data: string | Uint8Array): number {
  let count = 0;
  if (typeof data === "string") for (let at = data.indexOf("\n"); at !== -1; at = data.indexOf("\n", at + 1)) count++;
  else for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, at + 1)) count++;
  return count;
}
