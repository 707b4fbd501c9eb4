import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { inFormat, type StackFormat, textOf } from "./whole-trace.ts";

const HERE = fileURLToPath(import.meta.url);
/** This file is below `src` in a checkout, and below `dist` once built. */
const OWN_PACKAGE = HERE.slice(0, Math.max(HERE.lastIndexOf(`${sep}src${sep}`), HERE.lastIndexOf(`${sep}dist${sep}`)));
/** Folders of our own packages, installed or in a checkout. */
const OURS = ["capture", "hooks", "node", "providers", "replay"].flatMap((name) =>
  ["src", "dist"].map((part) => join(dirname(OWN_PACKAGE), name, part) + sep),
);

/** Whether a line of a stack, or the path or URL of a script, names a file of ours. A package manager may keep each package apart. */
export function isOurs(text: string): boolean {
  return OURS.some((folder) => text.includes(folder)) || /[/\\]node_modules[/\\]@reenact[/\\]/.test(text);
}

/** The stack of here as text lines, without Node's frames and ours. */
export function callerFrames(error: Error): string[] {
  Error.captureStackTrace(error, callerFrames);
  return framesOf(error);
}

const MOST_FRAMES = 4;
/** Between an effect and the line that asked for it lie Node's frames, and those of libraries. */
const DEEPEST = 40;

/** What the caller is, for people. */
export interface CallerPlace {
  /** frames of the program, without Node's, ours and those of installed packages; where it has none, those of packages */
  lines: string[];
  /** the installed package whose code calls; null: the program itself */
  package: string | null;
}

export function callerPlace(): CallerPlace {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = DEEPEST;
  let frames: string[];
  try {
    frames = callerFrames(new Error()).filter((line) => !/\(?node:|<anonymous>\)?$/.test(line));
  } finally {
    Error.stackTraceLimit = limit;
  }
  const own = frames.filter((line) => packageOf(line) === null);
  return {
    lines: (own.length > 0 ? own : frames).slice(0, MOST_FRAMES),
    package: packageOf(frames[0] ?? ""),
  };
}

function packageOf(line: string): string | null {
  return /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(line)?.[1]?.replace("\\", "/") ?? null;
}

const asLines: StackFormat = (_, trace) => trace.map((site) => `    at ${textOf(site)}`);

/** The same of an error whose stack was not read yet. A program's own stack format is not asked. */
export function framesOf(error: Error): string[] {
  const lines: unknown = inFormat(asLines, () => error.stack);
  // of an error whose stack was read before, it is a text
  const all = Array.isArray(lines) ? (lines as string[]) : String(lines).split("\n").slice(1);
  return all.filter((line) => !line.includes("node:internal") && !isOurs(line));
}
