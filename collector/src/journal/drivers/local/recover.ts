import { errorCode } from "../../error-code.ts";
import { JournalError } from "../../journal-error.ts";
import type { JournalFiles } from "./journal-files.ts";
import { findRecord, JOURNAL_VERSION, lookAtRecord, padded, readSegmentHead, SEGMENT_HEAD } from "./record.ts";
import { damagedPath, segmentPath, segmentsAmong } from "./segment-name.ts";

export interface Recovered {
  /** what there is, ascending */
  segments: { segment: number; end: number }[];
  /** bytes behind the last whole record of the last segment, which were cut off */
  cut: number;
  /** the file that has them now; null where there were none but zeros */
  setAside: string | null;
}

/**
 * Brings a journal's folder into order after whatever happened: only the last segment can have bytes that were never
 * synced. What is bad in the middle of a segment stays there; readers pass over it. Segments without a record are
 * listed with `end` at their head: remove them once there is a newer one, so that no number is ever used twice.
 */
export function recover(folder: string, files: JournalFiles): Recovered {
  const segments = segmentsAmong(files.list(folder));
  const recovered: Recovered = { segments: [], cut: 0, setAside: null };
  for (const segment of segments) {
    const path = segmentPath(folder, segment);
    if (segment !== segments.at(-1)) {
      recovered.segments.push({ segment, end: files.size(path) });
      continue;
    }
    const bytes = files.read(path);
    const head = readSegmentHead(bytes, segment);
    if (head && head.version > JOURNAL_VERSION) {
      throw new JournalError("NOT_A_JOURNAL", `${path} has version ${head.version}, this collector ${JOURNAL_VERSION}`);
    }
    const end = wholePart(bytes, segment, head?.salt ?? null);
    if (end < bytes.length) {
      const tail = bytes.subarray(end);
      if (tail.some((byte) => byte !== 0)) recovered.setAside = setAside(folder, files, segment, end, tail);
      recovered.cut = tail.length;
      cut(path, files, end);
    }
    recovered.segments.push({ segment, end });
  }
  return recovered;
}

/** End of the last whole record. */
function wholePart(bytes: Uint8Array, segment: number, salt: number | null): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = Math.min(SEGMENT_HEAD, bytes.length);
  for (let at = SEGMENT_HEAD; at < bytes.length;) {
    const found = lookAtRecord(bytes, view, at, segment, salt);
    if (found.state === "whole") {
      at = padded(at + found.size);
      end = Math.min(at, bytes.length);
    } else {
      at = findRecord(bytes, view, at + 8, { segment, salt });
      if (at < 0) break;
    }
  }
  return end;
}

function setAside(folder: string, files: JournalFiles, segment: number, offset: number, bytes: Uint8Array): string {
  const path = damagedPath(folder, segment, offset);
  try {
    files.remove(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const fd = files.create(path);
  try {
    files.write(fd, [bytes], 0);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
  files.syncFolder(folder);
  return path;
}

function cut(path: string, files: JournalFiles, length: number): void {
  const fd = files.open(path);
  try {
    files.truncate(fd, length);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
}
