import type { JournalError } from "./journal-error.ts";

/**
 * The place where a record begins. Positions grow with every append, across restarts too. Only a driver reads the parts;
 * everybody else compares positions, and stores them as text.
 */
export interface Position {
  /** number of the segment, from 1 */
  segment: number;
  /** bytes from the begin of the segment */
  offset: number;
}

/** Before every record there is. */
export const JOURNAL_START: Position = { segment: 0, offset: 0 };

/** Kinds of an entry's body. The numbers are part of the format on disk. */
export const ENTRY_KIND = {
  /** one ExportTraceServiceRequest, protobuf, not compressed */
  traces: 1,
  /** a mark of a run, or the removal of one, as `encodeStatement` writes it */
  mark: 2,
} as const;

export interface NewEntry {
  /** at most 255 bytes of UTF-8 */
  tenant: string;
  /** 1 … 65535; see `ENTRY_KIND` */
  kind: number;
  /** milliseconds since 1970 */
  receivedAt: number;
  /** the body, or its pieces in order; taken over: it must not be written to afterwards, and may be moved away */
  body: Uint8Array | readonly Uint8Array[];
  /** CRC-32 of the body, by who has computed it already: the record's is made from it */
  bodyCrc?: number | undefined;
  /**
   * Called once with the whole body where it came to lie, before anything is written; the view ends with the call.
   * What it throws is what `append` rejects with, and then the entry leaves no trace.
   */
  check?(body: Uint8Array): void;
}

export interface Entry {
  position: Position;
  /** of the entry behind this one: a cursor that has done this entry */
  next: Position;
  tenant: string;
  kind: number;
  receivedAt: number;
  /** a view; stays as it is for as long as the reader keeps it, if it is not lent */
  body: Uint8Array;
  /** where the body begins in its segment: `bodyAt + x` is the offset that `bytes` takes for byte x of the body */
  bodyAt: number;
}

/** A part of an entry's body. Numbers, since a table of runs holds millions of them; only a driver reads them. */
export interface ByteRange {
  segment: number;
  /** from the begin of the segment */
  offset: number;
  length: number;
}

export interface ReadOptions {
  /** bodies are in memory that is used again once the next entry is asked for */
  readonly lent?: boolean;
  /** Called whenever every entry before the position has been given and done with; heads and damaged bytes count as read. */
  onRead?(upTo: Position): void;
}

export interface Journal {
  /** Resolves when the entry is on disk and not before. Rejects with `JournalError` when it cannot be kept. */
  append(entry: NewEntry): Promise<Position>;
  /**
   * Every durable entry from `from` on, in order; then waits for those to come, until the signal aborts or the journal
   * closes. Positions that were released are passed over. Throws `CURSOR_AHEAD` for a position that never was.
   */
  read(from: Position, signal?: AbortSignal, how?: ReadOptions): AsyncIterable<Entry>;
  /** Raw bytes of durable entries. Throws `RELEASED` if they were given up, `DAMAGED` if the file ends before them. */
  bytes(range: ByteRange): Promise<Uint8Array>;
  /** Segments wholly before the position may be deleted. Never goes back. */
  release(upTo: Position): void;
  /** The end: behind the last entry that is on disk. */
  durable(): Position;
  /** Waits until what was appended is on disk; readers end. */
  close(): Promise<void>;
}

export interface JournalStatus {
  commits: number;
  entries: number;
  /** commits that the disk refused; their senders were told */
  lostCommits: number;
  /** bytes on disk and not released */
  storedBytes: number;
  segments: number;
  /** of the disk; null: it does not say */
  freeBytes: number | null;
  /** the last commit was refused, or the next one would be: no space, or a disk that does not write */
  refusing: JournalError | null;
  damagedBytes: number;
}

/** A journal as `openJournal` gives it. */
export interface RunningJournal extends Journal {
  /** where other threads of this process find its bytes */
  readonly address: JournalAddress;
  status(): JournalStatus;
  /** Bytes of durable records at or behind the position that were not released. */
  bytesAfter(position: Position): number;
}

/** Made by a driver and read by `openJournalBytes`; it can be sent to another thread. */
export interface JournalAddress {
  readonly driver: "local";
  readonly folder: string;
}

/** Durable bytes, read on a thread that does nothing else meanwhile. */
export interface JournalBytes {
  /** Fills `into` with the bytes of a segment from `offset` on. */
  read(segment: number, offset: number, into: Uint8Array): void;
  /** Reads the record at `offset` once and throws `JournalError` with `DAMAGED` if it is not what was written. */
  check(segment: number, offset: number): void;
  /** Closes what the journal has given up: an open file would keep its place on the disk. */
  tidy(): void;
  close(): void;
}

/** Negative, zero or positive, as for `sort`. */
export function comparePositions(a: Position, b: Position): number {
  return a.segment - b.segment || a.offset - b.offset;
}

/** How many segments are kept for the sake of `from`, where `to` has been reached. */
export const segmentsBetween = (from: Position, to: Position): number => to.segment - from.segment;

export const positionText = ({ segment, offset }: Position): string => `${segment}:${offset}`;

/** null: not a text of `positionText`. */
export function readPosition(text: string | null): Position | null {
  const parts = /^([0-9]{1,15}):([0-9]{1,15})$/.exec(text ?? "");
  return parts ? { segment: Number(parts[1]), offset: Number(parts[2]) } : null;
}
