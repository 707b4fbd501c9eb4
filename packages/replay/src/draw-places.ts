import { type DrawKind, framesOf } from "@reenact/capture";

/** of one kind between two deliveries */
const MOST = 16;
const MOST_TOLD = 3;
/** ours are among them */
const FRAMES = 20;

/** Where the agent has drawn since the last delivery: if it has drawn more than was recorded, any of them may be new. */
export class DrawPlaces {
  readonly #drawn = new Map<DrawKind, Error[]>();
  #interval = -1;

  saw(kind: DrawKind, interval: number): void {
    if (interval !== this.#interval) this.#drawn.clear();
    this.#interval = interval;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = FRAMES;
    // its stack is only made into text if somebody reads it
    const error = new Error(kind);
    Error.stackTraceLimit = limit;
    const errors = this.#drawn.get(kind);
    if (errors === undefined) this.#drawn.set(kind, [error]);
    else if (errors.push(error) > MOST) errors.shift();
  }

  /** The last one first, each once; of the program's own lines, where there are any besides. */
  of(kind: DrawKind): string[] {
    const places = (this.#drawn.get(kind) ?? []).toReversed().map((error) => placeOf(framesOf(error)));
    const [last, ...before] = [...new Set(places)].filter((place) => place !== null);
    return last === undefined ? [] : [last, ...before.filter(isOwn).slice(0, MOST_TOLD)];
  }
}

const isOwn = (place: string): boolean => !/[/\\]node_modules[/\\]/.test(place);

/** The nearest line of the program itself, else of a package. */
function placeOf(lines: readonly string[]): string | null {
  const places = lines.flatMap((line) => /\(?((?:file:\/\/)?\/?[^()\s]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? []);
  const place = places.find(isOwn) ?? places[0];
  return place?.startsWith("file:") ? decodeURI(place.slice("file://".length)) : (place ?? null);
}
