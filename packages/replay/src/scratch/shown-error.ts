import type { Overlay } from "./overlay.ts";
import type { Plan } from "./plan.ts";

interface FileError extends Error {
  path?: unknown;
  dest?: unknown;
}

/** Puts the program's own paths back into an error, which stays the object that it is. */
export function shownError(overlay: Overlay, error: unknown, pairs: Plan["pairs"]): unknown {
  if (!(error instanceof Error)) return error;
  const known: FileError = error;
  const [to, from] = pairs;
  // one real path may be the beginning of the other
  const longestFirst = pairs.toSorted(([a], [b]) => b.length - a.length);
  const shown = (text: string, bare: boolean): string => {
    // two names of one file
    let result = to !== undefined && from !== undefined && to[0] === from[0] ? text.replace(`'${from[0]}' -> '${to[0]}'`, () => `'${from[1]}' -> '${to[1]}'`) : text;
    for (const [real, given] of longestFirst) {
      if (real === given) continue;
      if (bare && text === real) return given;
      // a path of ours is unmistakable; one of the original may also be part of another
      if (!real.startsWith(overlay.folder)) result = result.replaceAll(`'${real}'`, () => `'${given}'`);
      else result = result.split(real).reduce((before, rest) => before + (/^[^'/\\\s]/.test(rest) ? real : given) + rest);
    }
    return overlay.shown(result);
  };
  const { message } = known;
  const told = shown(message, false);
  if (told !== message) {
    const stack = known.stack;
    known.message = told;
    if (stack !== undefined) known.stack = stack.replace(message, () => told);
  }
  if (typeof known.path === "string") known.path = from !== undefined && known.path === from[0] ? from[1] : shown(known.path, true);
  if (typeof known.dest === "string") known.dest = to !== undefined && known.dest === to[0] ? to[1] : shown(known.dest, true);
  return known;
}
