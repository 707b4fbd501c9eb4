import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** Lets this thread work only where the others leave a processor to it. */
export function behindTheOthers(): void {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (Number.isSafeInteger(id) && id !== process.pid) setPriority(id, 10);
  } catch {
    // No such file system, or not allowed: only slower for others.
  }
}
