import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const OCTAL = 8;

/**
 * The umask when the process began: permission bits that new files do not get. What the program changes in it later counts as
 * its own effect. Null on Windows and where it is not known.
 */
export const firstUmask: number | null = read();

/**
 * On Linux the umask is read from `/proc`. `process.umask()` sets it to 0 for a moment, and a file that another thread makes
 * in that moment gets all permissions.
 */
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
