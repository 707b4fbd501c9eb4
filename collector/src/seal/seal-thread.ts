import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createReusedSpace } from "./reused-space.ts";
import { sealRun, type SealPolicy, type SealTask } from "./seal-run.ts";
import { createSegmentFiles } from "./segment-files.ts";
import { createSpillFile } from "./spill-file.ts";

/** What the thread is given when it starts. */
export interface SealThreadData {
  /** of the journal's segments */
  readonly folder: string;
  /** for what is too large for memory */
  readonly spillFolder: string;
  readonly policy: SealPolicy;
}

/** A run of more bytes is not held in memory. */
const LARGE = 64 * 1024 ** 2;

const { folder, spillFolder, policy } = workerData as SealThreadData;
const files = createSegmentFiles(folder);
const tools = {
  read: files.read,
  space: createReusedSpace(),
  spill: () => createSpillFile(spillFolder),
  largeBytes: LARGE,
};

behindTheOthers();
const port = parentPort!;
let last: Promise<void> = Promise.resolve();
// one after another: they share their memory
port.on("message", (asked: { id: number; task: SealTask }) => void (last = last.then(() => seal(asked))));

async function seal({ id, task }: { id: number; task: SealTask }): Promise<void> {
  try {
    const sealed = await sealRun(task, policy, tools);
    // Each frame in memory of its own, so that it is moved and nothing beside it.
    const frames = (sealed?.frames ?? []).map((frame) => (frame instanceof Uint8Array ? new Uint8Array(frame) : frame));
    const moved = frames.flatMap((frame) => (frame instanceof Uint8Array ? [frame.buffer] : []));
    port.postMessage({ id, sealed: sealed && { ...sealed, frames } }, moved);
  } catch (error) {
    port.postMessage({ id, error: error instanceof Error ? error : new Error(String(error)) }, []);
  } finally {
    files.tidy();
  }
}

/** Lower priority for this thread alone: Linux takes a thread's id where it asks for a process. Others go without. */
function behindTheOthers(): void {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (Number.isSafeInteger(id) && id !== process.pid) setPriority(id, 10);
  } catch {
    // No such file system, or not allowed: only slower for others.
  }
}
