import type { ScannedSpan } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import type { RunPart, RunRow } from "../catalog/run-row.ts";
import type { ByteRange } from "./byte-range.ts";

/** The part of an object store that reading a run needs. */
export interface RangeStore {
  getRange(key: string, offset: number, length: number): Promise<Uint8Array>;
}

const CHUNK = 4 * 1024 * 1024;

/** A range of one part, in pieces of at most 4 MiB. */
export async function* partBytes(store: RangeStore, part: RunPart, range: ByteRange): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < range.length; done += CHUNK) {
    yield await store.getRange(part.key, part.offset + range.offset + done, Math.min(CHUNK, range.length - done));
  }
}

/** All spans of a sealed run, digests checked, those of later revisions merged in. */
export async function readRunSpans(store: RangeStore, row: RunRow): Promise<ScannedSpan[]> {
  const parts = await Promise.all(row.parts.map((part) => readPart(store, part)));
  return parts.flatMap((bytes) => readEnvelope(bytes).spans.map(({ scanned }) => scanned));
}

/** A run of several revisions as one envelope. */
export async function mergedEnvelope(store: RangeStore, row: RunRow): Promise<Uint8Array> {
  const spans = await readRunSpans(store, row);
  return writeEnvelope({ spans, revision: row.revision, class: row.class }).bytes;
}

async function readPart(store: RangeStore, part: RunPart): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of partBytes(store, part, { offset: 0, length: part.length })) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
