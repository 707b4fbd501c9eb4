import { type Call, namedCalls } from "./named-call.ts";

/**
 * Frames by which `Error.stackTraceLimit` is raised in a wrapped function, once per nesting level: more than the recorder has
 * between a call of the program and the function that is called. It is not the difference of two usual limits, so the length
 * of a trace shows under which limit it was cut.
 */
const ROOM = 23;
const MOST_ROOMS = 40;

/** The program's own limits under which there was room, the first few. */
const seen = new Set<number>();
const MOST_SEEN = 16;

/** The raised limit, the program's own, and the number of nesting levels; null: the limit is not raised now. */
let raised: Raised | null = null;

interface Raised {
  readonly limit: number;
  readonly own: number;
  readonly rooms: number;
  readonly call: Call;
}

/** The most nesting levels so far. */
let mostRooms = 1;

/** Prefix of the name of a frame below which the limit is raised; the program's own limit follows. */
const MARK = "reenact room:";
/** A trace shows by this frame under which limit it was made. */
const callUnder = namedCalls(MARK, MOST_SEEN);

/**
 * Calls `fn` with so much more of `Error.stackTraceLimit` that frames of the recorder take no place of the program's: V8 counts
 * them when an error is made. `programFrames` cuts what is too long then. Within, the program reads the higher limit.
 */
export function withRoom<T>(fn: () => T): T {
  const before = raised;
  const now = raise();
  if (now === null) return fn();
  try {
    return now.call(fn, undefined, []) as T;
  } finally {
    lower(before);
  }
}

/** The same for each call of a function, for what throws or rejects before it returns. */
export function roomy<F extends (...args: never[]) => unknown>(real: F): F {
  return function (this: unknown, ...args: unknown[]): unknown {
    const before = raised;
    const now = raise();
    if (now === null) return Reflect.apply(real, this, args as never[]);
    try {
      return now.call(real, this, args);
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
 * with room was cut by V8, a shorter one made under the limit that a frame of it names, else the one that stands now, or the widest
 * that it fits.
 */
export function lengthWithoutRoom(trace: readonly NodeJS.CallSite[], own: boolean): number {
  const { length } = trace;
  const now = ownLimit();
  const named = limitOf(trace);
  if (named !== null) return named;
  let widest = -1;
  for (const limit of seen) {
    const rooms = (length - limit) / ROOM;
    if (rooms > 0 && rooms <= mostRooms && Number.isInteger(rooms)) return limit;
    if (rooms < mostRooms) widest = Math.max(widest, limit);
  }
  if (!own || widest === -1) return length;
  return length < now + mostRooms * ROOM ? now : widest;
}

/**
 * The limit that the trace's frames name. Null: no frame names one, or the trace is longer than that limit allows, because the
 * program has set another limit in a function below.
 */
function limitOf(trace: readonly NodeJS.CallSite[]): number | null {
  const names = trace.map((site) => site.getFunctionName() ?? "").filter((name) => name.startsWith(MARK));
  const [first] = names;
  if (first === undefined) return null;
  const limit = Number(first.slice(MARK.length));
  const rooms = names.filter((name) => name === first).length;
  return trace.length <= limit + rooms * ROOM || isCutAt(trace.length, limit) ? limit : null;
}

/** Whether V8 may have cut a trace of this length at the program's limit, raised or not. */
export function isCutAt(length: number, limit: number): boolean {
  const rooms = (length - limit) / ROOM;
  return rooms >= 0 && rooms <= mostRooms && Number.isInteger(rooms);
}

/** Raises the limit by one level; null: the program has set a limit that cannot be raised. */
function raise(): Raised | null {
  const stands = Error.stackTraceLimit;
  if (typeof stands !== "number" || !(stands > 0 && stands < 1e6)) return null;
  const within = raised !== null && stands === raised.limit ? raised : null;
  const own = within === null ? stands : within.own;
  const rooms = within === null ? 1 : within.rooms + 1;
  if (rooms > MOST_ROOMS) return null;
  const limit = own + rooms * ROOM;
  try {
    Error.stackTraceLimit = limit;
  } catch {
    return null;
  }
  raised = { limit, own, rooms, call: callUnder(own) };
  mostRooms = Math.max(mostRooms, rooms);
  if (seen.size < MOST_SEEN) seen.add(own);
  return raised;
}

/** A limit that the program has set meanwhile stays. */
function lower(before: typeof raised): void {
  const now = raised;
  raised = before;
  if (now === null || Error.stackTraceLimit !== now.limit) return;
  Error.stackTraceLimit = before !== null && before.own === now.own ? before.limit : now.own;
}
