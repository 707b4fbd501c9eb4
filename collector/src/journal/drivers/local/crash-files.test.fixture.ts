import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { diskFiles, type JournalFiles } from "./journal-files.ts";

// A disk that dies, lies or fails at a named point. The plan is in the query of the URL that it is loaded by:
//   point  what is done, and when: "write:half"
//   count  at which time that this point is reached
//   fate   worker: the journal's thread ends · process: SIGKILL · power: the disk loses, as it likes, what was not
//          synced, and then the thread ends · power-process: likewise, and SIGKILL · ENOSPC, EIO: the call fails
//   times  how many calls in a row fail (ENOSPC, EIO)
//   seed   of what a power loss takes

const plan = new URL(import.meta.url).searchParams;
const point = plan.get("point") ?? "";
const fate = plan.get("fate") ?? "worker";
let until = Number(plan.get("count") ?? 1);
let failures = Number(plan.get("times") ?? 1);
let state = Number(plan.get("seed") ?? 1) | 1;

/** 0 … 1, the same for the same seed. */
function random(): number {
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39) ^ (state >>> 7);
  return (state >>> 0) / 2 ** 32;
}

interface Tracked {
  path: string;
  /** what is on the disk for sure */
  stable: Buffer;
  /** its name is on the disk for sure */
  named: boolean;
}

const byFd = new Map<number, Tracked>();
const tracked = new Map<string, Tracked>();
/** removed, and perhaps not for good */
const removed = new Map<string, Buffer>();
const PAGE = 512;

/** Every page that was not synced is there or not, whatever the order of the writes. */
function losePower(): void {
  for (const { path, stable, named } of tracked.values()) {
    if (!named && random() < 0.5) {
      rmSync(path, { force: true });
      continue;
    }
    const now = readFileSync(path);
    if (now.equals(stable)) continue;
    const length =
      random() < 0.5 ? now.length : stable.length + Math.floor(random() * (now.length - stable.length + 1));
    const mix = Buffer.alloc(Math.max(length, 0));
    for (let at = 0; at < mix.length; at += PAGE) {
      const from = random() < 0.5 ? now : stable;
      from.subarray(at, at + PAGE).copy(mix, at);
    }
    writeFileSync(path, mix);
  }
  for (const [path, bytes] of removed) if (random() < 0.5) writeFileSync(path, bytes);
}

function reach(name: string, half?: () => void): void {
  if (name !== point || --until > 0) return;
  half?.();
  if (fate === "ENOSPC" || fate === "EIO") {
    until = --failures > 0 ? 1 : Number.POSITIVE_INFINITY;
    throw Object.assign(new Error(`${fate}: injected at ${name}`), { code: fate });
  }
  if (fate.startsWith("power")) losePower();
  if (fate.endsWith("process")) process.kill(process.pid, "SIGKILL");
  process.exit(0);
}

/** Before and after one call. */
function around<T>(name: string, call: () => T): T {
  reach(`${name}:before`);
  const result = call();
  reach(`${name}:after`);
  return result;
}

export const files: JournalFiles = {
  ...diskFiles,
  create: (path) =>
    around("create", () => {
      const fd = diskFiles.create(path);
      const file = { path, stable: Buffer.alloc(0), named: false };
      tracked.set(path, file);
      byFd.set(fd, file);
      return fd;
    }),
  open: (path) => {
    const fd = diskFiles.open(path);
    const file = { path, stable: readFileSync(path), named: true };
    tracked.set(path, file);
    byFd.set(fd, file);
    return fd;
  },
  write: (fd, pieces, offset) =>
    around("write", () => {
      const all = Buffer.concat(pieces);
      reach("write:half", () => diskFiles.write(fd, [all.subarray(0, Math.floor(random() * all.length))], offset));
      diskFiles.write(fd, pieces, offset);
    }),
  truncate: (fd, length) => around("truncate", () => diskFiles.truncate(fd, length)),
  // what the kernel has is what a sync would bring to the disk: for kills it is enough, and much faster
  sync: (fd) =>
    around("sync", () => {
      const file = byFd.get(fd);
      if (file) file.stable = readFileSync(file.path);
    }),
  syncFolder: () =>
    around("syncFolder", () => {
      for (const file of tracked.values()) file.named = true;
      removed.clear();
    }),
  close: (fd) => around("close", () => diskFiles.close(fd)),
  remove: (path) =>
    around("remove", () => {
      removed.set(path, readFileSync(path));
      tracked.delete(path);
      diskFiles.remove(path);
    }),
};
