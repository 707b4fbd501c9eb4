import type { JournalError } from "./journal-error.ts";

declare const POSITION: unique symbol;
/**
 * The place where a record begins, as text that only its driver reads. Positions of one journal grow with every append, across
 * restarts too, in the order of `<`. They are stored as they are; `Journal.position` reads them back.
 */
export type Position = string & { readonly [POSITION]: true };

/** Before every record there is, in every journal. */
export const JOURNAL_START = "" as Position;

/** Kinds of an entry's body. The numbers are part of the format on disk. */
export const ENTRY_KIND = {
  /** one ExportTraceServiceRequest, protobuf, not compressed */
  traces: 1,
  /** a mark of a run, or the removal of one, as `encodeMarkChange` writes it */
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
  place: EntryPlace;
}

/**
 * Names a record. Two unsigned numbers of 32 bits, since a table of open runs holds millions of them; only the driver knows what
 * they count. An entry that was appended later has the greater `block`, or the same one and the greater `record`.
 */
export interface RecordReference {
  readonly block: number;
  readonly record: number;
}

/** Where the body of an entry lies. */
export interface EntryPlace extends RecordReference {
  /** byte x of the body has the offset `body + x`; at most 2³² - 1, and only the driver knows from where it counts */
  readonly body: number;
}

/** A part of an entry's body: so many bytes from an offset of `EntryPlace` on. */
export interface ByteReference extends RecordReference {
  readonly offset: number;
  readonly length: number;
}

export interface ReadOptions {
  /** bodies are in memory that is used again once the next entry is asked for */
  readonly lent?: boolean;
  /** Called whenever every entry before the position has been given and done with; heads and damaged bytes count as read. */
  onRead?(upTo: Position): void;
}

/** One ordered log of entries. Nothing outside its driver knows of files, brokers or the offsets in them. */
export interface Journal {
  /** Resolves when the entry is on disk and not before. Rejects with `JournalError` when it cannot be kept. */
  append(entry: NewEntry): Promise<Position>;
  /**
   * Every durable entry from `from` on, in order; then waits for those to come, until the signal aborts or the journal
   * closes. Positions that were released are passed over. Throws `CURSOR_AHEAD` for a position that never was.
   */
  read(from: Position, signal?: AbortSignal, how?: ReadOptions): AsyncIterable<Entry>;
  /** Raw bytes of durable entries. Throws `RELEASED` if they were given up, `DAMAGED` if the record ends before them. */
  bytes(reference: ByteReference): Promise<Uint8Array>;
  /** What lies before the position may be deleted. Never goes back. */
  release(upTo: Position): void;
  /** Bytes of durable records at or behind the position that were not released. */
  bytesAfter(position: Position): number;
  /** The position that a stored text names; null: it names none of this journal. */
  position(stored: string | null): Position | null;
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
  /** where it writes; null: it does not say */
  freeBytes: number | null;
  /** the last commit was refused, or the next one would be: no space, or a disk that does not write */
  refusing: JournalError | null;
  damagedBytes: number;
}

/** What can be done with every journal, whether or not all of it is read in this process. */
export interface SharedJournal extends Pick<Journal, "append" | "bytes" | "close"> {
  /** where other threads of this process find the bytes of what is read here */
  readonly address: JournalAddress;
  status(): JournalStatus;
}

/** A journal that is this process's alone. */
export interface RunningJournal extends Journal, SharedJournal {}

/** Made by a driver and read by `openJournalBytes`; it can be sent to another thread. */
export interface JournalAddress {
  readonly driver: "local";
  readonly folder: string;
}

/** Durable bytes, read on a thread that does nothing else meanwhile. */
export interface JournalBytes {
  /** Fills `into` with the bytes of a record from `offset` on, an offset as `EntryPlace` has it. */
  read(of: RecordReference, offset: number, into: Uint8Array): void;
  /** Reads the record once and throws `JournalError` with `DAMAGED` if it is not what was written. */
  check(of: RecordReference): void;
  /** Closes what the journal has given up: an open file would keep its place on the disk. */
  tidy(): void;
  close(): void;
}
