import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const OCTAL = 8;

/**
 * Permission bits that new files do not get, as the process began: what the program makes of them itself is its own
 * effect. Null on Windows and where they are not known.
 */
export const firstUmask: number | null = read();

/** `process.umask()` sets the umask for a moment, in which files of other threads would get none: Linux says it without. */
function read(): number | null {
  if (process.platform === "win32") return null;
  try {
    const line = /^Umask:\s*([0-7]+)$/m.exec(readFileSync("/proc/self/status", "latin1"));
    if (line?.[1] !== undefined) return Number.parseInt(line[1], OCTAL);
  } catch {
    // not Linux
  }
  return isMainThread ? process.umask() : null;
}
