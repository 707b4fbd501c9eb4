import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { segmentPath } from "../journal/segment-name.ts";
import type { ReadSegment } from "./seal-run.ts";

export interface SegmentFiles {
  readonly read: ReadSegment;
  /** Closes files that the journal has given up: an open one would keep its place on the disk. */
  tidy(): void;
  close(): void;
}

/** Reads the journal's segments beside the journal itself; at most `most` files are open at a time. */
export function createSegmentFiles(folder: string, most = 16): SegmentFiles {
  const files = new Map<number, number>();

  function fileOf(segment: number): number {
    const known = files.get(segment);
    if (known !== undefined) return known;
    const [oldest] = files;
    if (oldest && files.size >= most) {
      closeSync(oldest[1]);
      files.delete(oldest[0]);
    }
    const file = openSync(segmentPath(folder, segment), "r");
    files.set(segment, file);
    return file;
  }

  return {
    read(segment, offset, into) {
      const file = fileOf(segment);
      for (let done = 0; done < into.length;) {
        const bytes = readSync(file, into, done, into.length - done, offset + done);
        if (bytes === 0) throw new Error(`segment ${segment} ends before byte ${offset + into.length}`);
        done += bytes;
      }
    },
    tidy() {
      for (const [segment, file] of files) {
        if (fstatSync(file).nlink > 0) continue;
        closeSync(file);
        files.delete(segment);
      }
    },
    close() {
      for (const file of files.values()) closeSync(file);
      files.clear();
    },
  };
}
