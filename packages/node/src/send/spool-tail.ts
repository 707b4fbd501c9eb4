import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { errorCode } from "@reenact/envelope";
import { type Frame, wholeFrames } from "../spool/frame.ts";

/** Reads a file that is being written, frame by frame. */
export interface SpoolTail {
  /** The whole frames that have come since, as far as one read goes; none: wait. Throws where the file is damaged. */
  read(): Frame[];
  /** how much has been read */
  readonly at: number;
  /** its name is not its name any more: another process has taken it */
  isGone(): boolean;
  close(): void;
}

const CHUNK = 1024 * 1024;
/** No write takes longer. */
const WRITE_MS = 500;
const EMPTY = Buffer.alloc(0);

/** Null: there is no such file. */
export function openTail(path: string): SpoolTail | null {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
  const { ino } = fstatSync(fd);
  let rest: Buffer = EMPTY;
  let base = 0;
  let needs = 0;
  let damaged = { at: -1, since: 0 };

  function read(): Frame[] {
    const from = base + rest.length;
    const there = fstatSync(fd).size - from;
    if (there <= 0) return [];
    const bytes = Buffer.allocUnsafeSlow(Math.min(there, Math.max(CHUNK, needs - rest.length)));
    const read = readSync(fd, bytes, 0, bytes.length, from);
    const all = rest.length === 0 ? bytes.subarray(0, read) : Buffer.concat([rest, bytes.subarray(0, read)]);
    const found = wholeFrames(all, base);
    // a write that is under way may be seen in part
    const at = base + found.used;
    if (!found.damaged) damaged = { at: -1, since: 0 };
    else if (damaged.at !== at) damaged = { at, since: performance.now() };
    else if (performance.now() - damaged.since > WRITE_MS) throw new Error(`the file is damaged at ${at}`);
    needs = found.needs;
    base += found.used;
    rest = found.damaged ? EMPTY : all.subarray(found.used);
    return found.frames;
  }

  return {
    read,
    get at() {
      return base;
    },
    isGone: () => statSync(path, { throwIfNoEntry: false })?.ino !== ino,
    close: () => closeSync(fd),
  };
}
