import { open } from "node:fs/promises";
import type { Entry } from "../../journal.ts";
import { JournalError } from "../../journal-error.ts";
import { findRecord, lookAtRecord, padded, readSegmentHead, RECORD_HEAD, SEGMENT_HEAD } from "./record.ts";
import { segmentPath } from "./segment-name.ts";
import { positionAt } from "./segment-place.ts";

/** Bytes that are no record, in the middle of a segment. */
export interface Damage {
  segment: number;
  offset: number;
  bytes: Uint8Array;
}

/** How much is read at once; a longer record is read alone. */
export const WINDOW = 4 * 2 ** 20;

export interface SegmentSource {
  folder: string;
  segment: number;
  /** durable bytes, now */
  end(): number;
  /** Resolves when `end` is past `at`: true; or when it will never be: false. */
  grown(at: number): Promise<boolean>;
  /** nobody wants more */
  aborted(): boolean;
  damaged(damage: Damage): void;
  /** memory for the next entries; those before are done with */
  space(bytes: number): Buffer;
}

/** The entries of one segment from `offset` on, until it grows no more. What is no record is told and passed over. */
export async function* readSegment(source: SegmentSource, offset: number): AsyncGenerator<Entry, void> {
  const { folder, segment, end } = source;
  const file = await open(segmentPath(folder, segment), "r");
  try {
    const read = async (from: number, bytes: Buffer): Promise<Buffer> => {
      const { length } = bytes;
      let at = 0;
      while (at < length) {
        const { bytesRead } = await file.read(bytes, at, length - at, from + at);
        if (bytesRead === 0) throw new JournalError("DAMAGED", `${segmentPath(folder, segment)} ends at ${from + at}`);
        at += bytesRead;
      }
      return bytes;
    };
    const salt = readSegmentHead(await read(0, Buffer.alloc(Math.min(SEGMENT_HEAD, end()))), segment)?.salt ?? null;
    let at = Math.max(offset, SEGMENT_HEAD);
    let wanted = WINDOW;
    while (at < end() || (await source.grown(at))) {
      const rest = end() - at;
      const bytes = await read(at, source.space(Math.min(rest, wanted)));
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      let used = 0;
      wanted = WINDOW;
      while (used < bytes.length) {
        const found = lookAtRecord(bytes, view, used, segment, salt);
        if (found.state === "whole") {
          const tenantAt = used + RECORD_HEAD;
          const bodyAt = tenantAt + found.facts.tenantLength;
          const next = used + padded(found.size);
          yield {
            position: positionAt(segment, at + used),
            next: positionAt(segment, at + next),
            tenant: bytes.toString("utf8", tenantAt, bodyAt),
            kind: found.facts.kind,
            receivedAt: found.facts.receivedAt,
            body: bytes.subarray(bodyAt, bodyAt + found.facts.bodyLength),
            place: { block: segment, record: at + used, body: at + bodyAt },
          };
          used = next;
          if (source.aborted()) return;
        } else if (found.state === "cut" && used + found.needed <= rest) {
          // the rest of it is in the next window
          wanted = Math.max(WINDOW, found.needed);
          break;
        } else {
          const all = await read(at + used, Buffer.allocUnsafeSlow(rest - used));
          const next = findRecord(all, new DataView(all.buffer, all.byteOffset, all.length), 8, { segment, salt });
          const length = next < 0 ? all.length : next;
          source.damaged({ segment, offset: at + used, bytes: all.subarray(0, length) });
          used += length;
          break;
        }
      }
      at += used;
    }
  } finally {
    await file.close();
  }
}
