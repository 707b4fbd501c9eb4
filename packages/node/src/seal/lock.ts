import fs, { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, makeFolder } from "@reenact/envelope";
import { isAlive } from "../process/is-alive.ts";

const WAIT_MS = 10_000;
const STALE_MS = 60_000;

/** Runs `work` while holding the lock `path`. A lock of a dead process is broken. */
export function withLock<T>(path: string, work: () => T): T {
  makeFolder(fs, dirname(path));
  const until = Date.now() + WAIT_MS;
  while (!taken(path)) {
    if (Date.now() > until) throw new Error(`${path} is held by another process`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function taken(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return false;
  const age = Date.now() - there.mtimeMs;
  // an empty lock is one that is being written
  if (age > STALE_MS || (age > 1000 && !isAlive(holder(path)))) rmSync(path, { force: true });
  return false;
}

function holder(path: string): number {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch {
    return 0;
  }
}
