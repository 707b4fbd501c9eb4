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

/** The stack of an error as text lines, without Node's frames and ours. A program's own stack format is not asked. */
export function callerFrames(error: Error): string[] {
  const format = Error.prepareStackTrace;
  Error.prepareStackTrace = undefined as unknown as NonNullable<typeof format>;
  let stack: string;
  try {
    Error.captureStackTrace(error, callerFrames);
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
