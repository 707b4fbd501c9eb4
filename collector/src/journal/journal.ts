/** The place where a record begins. Positions grow with every append, across restarts too. */
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

/** A part of an entry's body. */
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

/** Negative, zero or positive, as for `sort`. */
export function comparePositions(a: Position, b: Position): number {
  return a.segment - b.segment || a.offset - b.offset;
}
