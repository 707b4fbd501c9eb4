import { type DrawKind, framesOf } from "@reenact/capture/recorder";
import { isOwnPlace, ownPlace, placesOf } from "../guard/own-place.ts";

/** of one kind between two deliveries */
const MOST = 16;
const MOST_TOLD = 3;
/** ours are among them */
const FRAMES = 21;

/** Where the agent has drawn since the last delivery: if it has drawn more than was recorded, any of them may be new. */
export class DrawPlaces {
  readonly #drawn = new Map<DrawKind, Error[]>();
  #interval = -1;

  saw(kind: DrawKind, interval: number): void {
    if (interval !== this.#interval) this.#drawn.clear();
    this.#interval = interval;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = FRAMES;
    // its stack becomes text only when it is read
    const error = new Error(kind);
    Error.stackTraceLimit = limit;
    const errors = this.#drawn.get(kind);
    if (errors === undefined) this.#drawn.set(kind, [error]);
    else if (errors.push(error) > MOST) errors.shift();
  }

  /** The last one first, each once; of the program's own lines, where there are any besides. */
  of(kind: DrawKind): string[] {
    const places = (this.#drawn.get(kind) ?? []).toReversed().map((error) => ownPlace(framesOf(error)));
    const [last, ...before] = [...new Set(places)].filter((place) => place !== null);
    return last === undefined ? [] : [last, ...before.filter(isOwnPlace).slice(0, MOST_TOLD)];
  }

  /** Whether the function that took the last reading of this kind belongs to a package, not to the program. */
  isInPackage(kind: DrawKind): boolean {
    const last = this.#drawn.get(kind)?.at(-1);
    const [nearest] = last === undefined ? [] : placesOf(framesOf(last));
    return nearest !== undefined && !isOwnPlace(nearest);
  }
}
