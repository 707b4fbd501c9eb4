/** More frames than the recorder ever has between a call of the program and what is called. */
export const ROOM = 20;

/** The program's own limits under which there was room, the first few. */
const seen = new Set<number>();
const MOST_SEEN = 16;

/** The limit that stands while there is room, and the program's own; null: there is none now. */
let raised: { readonly limit: number; readonly own: number } | null = null;

/**
 * Calls `fn` with so much more of `Error.stackTraceLimit` that frames of the recorder take no place of the program's: V8 counts
 * them when an error is made. `programFrames` cuts what is too long then. Within, the program reads the higher limit.
 */
export function withRoom<T>(fn: () => T): T {
  const before = raised;
  if (!raise()) return fn();
  try {
    return fn();
  } finally {
    lower(before);
  }
}

/** The same for each call of a function, for what throws or rejects before it returns. */
export function roomy<F extends (...args: never[]) => unknown>(real: F): F {
  return function (this: unknown, ...args: unknown[]): unknown {
    const before = raised;
    if (!raise()) return Reflect.apply(real, this, args as never[]);
    try {
      return Reflect.apply(real, this, args as never[]);
    } finally {
      lower(before);
    }
  } as unknown as F;
}

/** The limit that the program has set. */
export function ownLimit(): number {
  const limit = Error.stackTraceLimit;
  return raised !== null && limit === raised.limit ? raised.own : limit;
}

/**
 * How many frames of a trace there would be without room; `own`: some of them are the recorder's. A trace as long as a limit
 * with room was cut by V8, a shorter one made under the limit that stands now, or else the widest that it fits.
 */
export function lengthWithoutRoom(length: number, own: boolean): number {
  const now = ownLimit();
  let widest = -1;
  for (const limit of seen) {
    if (length === limit + ROOM) return limit;
    if (length < limit + ROOM) widest = Math.max(widest, limit);
  }
  if (!own || widest === -1) return length;
  return length < now + ROOM ? now : widest;
}

/** False: there is room already, or none can be made. */
function raise(): boolean {
  const own = Error.stackTraceLimit;
  if ((raised !== null && own === raised.limit) || typeof own !== "number" || !(own > 0 && own < 1e6)) return false;
  try {
    Error.stackTraceLimit = own + ROOM;
  } catch {
    return false;
  }
  raised = { limit: own + ROOM, own };
  if (seen.size < MOST_SEEN) seen.add(own);
  return true;
}

/** A limit that the program has set meanwhile stays. */
function lower(before: typeof raised): void {
  const now = raised;
  raised = before;
  if (now !== null && Error.stackTraceLimit === now.limit) Error.stackTraceLimit = now.own;
}
