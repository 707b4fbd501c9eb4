import { closeSync, openSync, readSync } from "node:fs";
import { FRAME } from "./frame.ts";

const HEAD = 9;
/** Facts of a run are a few hundred bytes. */
const MOST = 64 * 1024;

/** Ids of the runs that started in a spool file. Reads heads and starts only; a file that another process has claimed has none. */
export function runsStartedIn(path: string): string[] {
  const head = Buffer.alloc(HEAD);
  const started: string[] = [];
  try {
    const fd = openSync(path, "r");
    try {
      for (let at = 0; readSync(fd, head, 0, HEAD, at) === HEAD; at += HEAD + head.readUInt32LE(0))
        if (head[8] === FRAME.started) started.push(...idAt(fd, at + HEAD, head.readUInt32LE(0)));
    } finally {
      closeSync(fd);
    }
  } catch {
    return [];
  }
  return [...new Set(started)];
}

/** Nothing where the frame is torn or damaged. */
function idAt(fd: number, at: number, length: number): string[] {
  if (length > MOST) return [];
  const payload = Buffer.alloc(length);
  readSync(fd, payload, 0, length, at);
  try {
    const { id } = JSON.parse(payload.toString()) as { id?: unknown };
    return typeof id === "string" && /^[0-9a-f]{32}$/.test(id) ? [id] : [];
  } catch {
    return [];
  }
}
