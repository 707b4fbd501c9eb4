import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders of our own packages, installed or in a checkout. */
const own = dirname(dirname(fileURLToPath(import.meta.url)));
const OURS = ["capture", "node", "replay"].flatMap((name) =>
  ["src", "dist"].map((part) => join(dirname(own), name, part) + sep),
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

/** The same of an error whose stack nobody has read yet. A program's own stack format is not asked. */
export function framesOf(error: Error): string[] {
  const format = Error.prepareStackTrace;
  Error.prepareStackTrace = undefined as unknown as NonNullable<typeof format>;
  let stack: string;
  try {
    stack = error.stack ?? "";
  } finally {
    if (format === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
    else Error.prepareStackTrace = format;
  }
  return stack
    .split("\n")
    .slice(1)
    .filter((line) => !line.includes("node:internal") && !isOurs(line));
}
