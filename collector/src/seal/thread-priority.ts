import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** Gives this thread a low priority, so that the others get a processor first. */
export function behindTheOthers(): void {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (Number.isSafeInteger(id) && id !== process.pid) setPriority(id, 10);
  } catch {
    // No such file system, or not allowed: the thread keeps its priority.
  }
}
