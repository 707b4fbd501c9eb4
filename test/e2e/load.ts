import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Keeps every processor busy while `work` goes on. */
export async function underLoad<T>(work: () => Promise<T>): Promise<T> {
  const busy: ChildProcess[] = [];
  // a child that is orphaned ends by itself
  const program = "const end = Date.now() + 120_000; while (Date.now() < end && process.ppid !== 1);";
  for (let i = 0; i <= availableParallelism(); i++)
    busy.push(spawn(process.execPath, ["-e", program], { stdio: "ignore" }));
  try {
    return await work();
  } finally {
    for (const child of busy) child.kill("SIGKILL");
  }
}

/** Where the processors are busy: while a program is recorded, while it is replayed, or never. */
export type Load = "none" | "recording" | "replaying";

export const LOADS: readonly Load[] = ["none", "recording", "replaying"];
