import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { JournalError } from "../../journal-error.ts";
import { MAX_BODY, readRecordFacts, RECORD_HEAD, recordSize } from "./record.ts";
import { segmentPath } from "./segment-name.ts";
import type { JournalBytes } from "../../journal.ts";

const PIECE = 1024 ** 2;
const MOST_CHECKED = 4_096;

/** Reads the journal's segments beside the journal itself; at most `most` files are open at a time. */
export function openSegmentBytes(folder: string, most = 16): JournalBytes {
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

  function read(segment: number, offset: number, into: Uint8Array): void {
    const file = fileOf(segment);
    for (let done = 0; done < into.length;) {
      const bytes = readSync(file, into, done, into.length - done, offset + done);
      if (bytes === 0) throw new Error(`segment ${segment} ends before byte ${offset + into.length}`);
      done += bytes;
    }
  }

  /** Many runs may come in one record: those that were checked last. */
  const checked = new Set<string>();
  const piece = new Uint8Array(PIECE);

  function isWhole(segment: number, offset: number): boolean {
    const head = new Uint8Array(RECORD_HEAD);
    read(segment, offset, head);
    const view = new DataView(head.buffer);
    const facts = readRecordFacts(view, 0);
    if (facts.bodyLength > MAX_BODY) return false;
    const end = fstatSync(fileOf(segment)).size;
    const size = recordSize(facts);
    if (offset + size > end) return false;
    let crc = crc32(head.subarray(12));
    for (let at = RECORD_HEAD; at < size; at += PIECE) {
      const bytes = piece.subarray(0, Math.min(PIECE, size - at));
      read(segment, offset + at, bytes);
      crc = crc32(bytes, crc);
    }
    return crc === view.getUint32(8, true);
  }

  return {
    read: ({ block }, offset, into) => read(block, offset, into),
    check({ block: segment, record: offset }) {
      const key = `${segment}:${offset}`;
      if (checked.has(key)) return;
      if (!isWhole(segment, offset))
        throw new JournalError("DAMAGED", `the record at byte ${offset} of segment ${segment} is not what was written`);
      checked.add(key);
      if (checked.size > MOST_CHECKED) checked.delete(checked.values().next().value!);
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
