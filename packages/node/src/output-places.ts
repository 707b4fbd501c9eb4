/** More changes than these are not kept. */
const MOST = 500;

/**
 * Where in the order of a run its output was written: for each write, how many answers outside tool bodies had been
 * delivered by then. Kept as changes only, three numbers each: number of the write, answers delivered, number of the
 * line at which the write began. Numbers count from 0.
 */
export class OutputPlaces {
  readonly #changes: number[] = [];
  #writes = 0;
  #lines = 0;
  #settles = 0;
  #stopped = false;

  /** `settles`: null where the write belongs to no run or to another one, whose order is its own. */
  wrote(data: string | Uint8Array, settles: number | null): void {
    if (settles === null) this.#stopped = true;
    else if (settles !== this.#settles && !this.#stopped) {
      if (this.#changes.length >= MOST * 3) this.#stopped = true;
      else this.#changes.push(this.#writes, settles, this.#lines);
      this.#settles = settles;
    }
    this.#writes++;
    this.#lines += lineEnds(data);
  }

  facts(): { places: number[] } | Record<string, never> {
    return this.#writes === 0 ? {} : { places: this.#changes };
  }
}

function lineEnds(data: string | Uint8Array): number {
  let count = 0;
  if (typeof data === "string") for (let at = data.indexOf("\n"); at !== -1; at = data.indexOf("\n", at + 1)) count++;
  else for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, at + 1)) count++;
  return count;
}
