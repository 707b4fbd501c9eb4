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
  const [to, from] = pairs.length === 2 ? pairs : [undefined, pairs[0]];
  const shown = shower(overlay, pairs);
  const { message } = known;
  const told = shown(message);
  if (told !== message) {
    const stack = known.stack;
    known.message = told;
    if (stack !== undefined) known.stack = stack.replace(message, () => told);
  }
  if (typeof known.path === "string") known.path = known.path === from?.[0] ? from[1] : shown(known.path);
  if (typeof known.dest === "string") known.dest = known.dest === to?.[0] ? to[1] : shown(known.dest);
  return known;
}

/** Replaces all paths in one pass: what the program wrote for one of them may be where another really is. */
function shower(overlay: Overlay, pairs: Plan["pairs"]): (text: string) => string {
  const given = new Map(pairs);
  const [to, from] = pairs;
  const pattern = pairs
    .filter(([real, text]) => real !== text)
    .map(([real]) => real)
    // one may be the beginning of the other
    .sort((a, b) => b.length - a.length)
    // a path of ours is unmistakable; one of the original may also be part of another
    .map((real) =>
      real.startsWith(overlay.folder) ? `${literal(real)}(?=$|['/\\\\\\s])` : `(?<=')${literal(real)}(?=')`,
    )
    .join("|");
  if (pattern === "") return (text) => overlay.shown(text);
  const paths = new RegExp(pattern, "g");
  return (text) => {
    // two names of one file
    if (to !== undefined && to[0] === from?.[0])
      text = text.replace(`'${from[0]}' -> '${to[0]}'`, () => `'${from[1]}' -> '${to[1]}'`);
    return overlay.shown(text.replace(paths, (real) => given.get(real) ?? real));
  };
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
