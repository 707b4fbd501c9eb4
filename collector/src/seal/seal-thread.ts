import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createReusedSpace } from "./reused-space.ts";
import { sealRun, type SealPolicy, type SealTask } from "./seal-run.ts";
import { createSegmentFiles } from "./segment-files.ts";

/** What the thread is given when it starts. */
export interface SealThreadData {
  readonly folder: string;
  readonly policy: SealPolicy;
}

const { folder, policy } = workerData as SealThreadData;
const files = createSegmentFiles(folder);
const space = createReusedSpace();

behindTheOthers();
const port = parentPort!;
port.on("message", ({ id, task }: { id: number; task: SealTask }) => {
  try {
    const sealed = sealRun(task, policy, files.read, space);
    // Each frame in memory of its own, so that it is moved and nothing beside it.
    const frames = (sealed?.frames ?? []).map((frame) => new Uint8Array(frame));
    const moved = frames.map(({ buffer }) => buffer);
    port.postMessage({ id, sealed: sealed && { ...sealed, frames } }, moved);
  } catch (error) {
    port.postMessage({ id, error: error instanceof Error ? error : new Error(String(error)) }, []);
  } finally {
    files.tidy();
  }
});

/** Lower priority for this thread alone: Linux takes a thread's id where it asks for a process. Others go without. */
function behindTheOthers(): void {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (Number.isSafeInteger(id) && id !== process.pid) setPriority(id, 10);
  } catch {
    // No such file system, or not allowed: only slower for others.
  }
}
