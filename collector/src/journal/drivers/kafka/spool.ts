import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { JournalError } from "../../journal-error.ts";
import type { ByteReference, EntryPlace } from "../../journal.ts";
import { lockFolder } from "../local/folder-lock.ts";
import { padded, RECORD_HEAD, SEGMENT_HEAD, segmentHead, stampRecord, writeRecordHead } from "../local/record.ts";
import { segmentPath } from "../local/segment-name.ts";

/** An entry that is to be spooled. */
export interface SpooledEntry {
  readonly tenant: string;
  readonly kind: number;
  readonly receivedAt: number;
  readonly body: Uint8Array;
}

/** Files of the records that this process has fetched, in the form of the local journal's segments, so that the sealing thread reads
 * them as it reads that. They are a copy: nothing is synced, and the folder is emptied at each start. */
export interface Spool {
  readonly folder: string;
  /** For the records of one partition. */
  open(): SpoolWriter;
  bytes(reference: ByteReference): Promise<Uint8Array>;
  storedBytes(): number;
  close(): Promise<void>;
}

export interface SpoolWriter {
  /** Writes entries behind one another. Resolves to their places. */
  write(entries: readonly SpooledEntry[]): Promise<readonly EntryPlace[]>;
  /** Removes the segments before this one. */
  releaseBefore(segment: number): Promise<void>;
  /** Removes all of them. */
  remove(): Promise<void>;
}

interface Segment {
  readonly number: number;
  readonly file: FileHandle;
  size: number;
}

const SEGMENT_BYTES = 16 * 1024 ** 2;
const SALT = 0;

/** Throws `JournalError` with `LOCKED` where another process uses the folder. */
export function openSpool(folder: string): Spool {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder);
  for (const name of readdirSync(folder)) if (/^\d{10}\.journal/.test(name)) rmSync(join(folder, name));
  const segments = new Map<number, Segment>();
  let last = 0;

  async function begin(): Promise<Segment> {
    const number = ++last;
    const file = await open(segmentPath(folder, number), "w+", 0o600);
    const segment = { number, file, size: SEGMENT_HEAD };
    segments.set(number, segment);
    await writeAll(file, segmentHead({ segment: number, salt: SALT }, Date.now()), 0);
    return segment;
  }

  async function remove({ number, file }: Segment): Promise<void> {
    segments.delete(number);
    await file.close();
    await rm(segmentPath(folder, number), { force: true });
  }

  function openWriter(): SpoolWriter {
    let own: Segment[] = [];
    /** Writes and removals are one after another. */
    let busy: Promise<unknown> = Promise.resolve();
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const done = busy.then(work);
      busy = done.catch(() => {});
      return done;
    };

    async function write(entries: readonly SpooledEntry[]): Promise<EntryPlace[]> {
      let segment = own.at(-1);
      if (!segment || segment.size > SEGMENT_BYTES) {
        segment = await begin();
        own.push(segment);
      }
      const places: EntryPlace[] = [];
      const pieces: Uint8Array[] = [];
      let at = segment.size;
      for (const entry of entries) {
        const record = recordOf(entry, segment.number);
        places.push({ block: segment.number, record: at, body: at + RECORD_HEAD + Buffer.byteLength(entry.tenant) });
        pieces.push(record);
        at += record.length;
      }
      try {
        await writeAll(segment.file, Buffer.concat(pieces), segment.size);
      } catch (error) {
        throw JournalError.from(error, folder);
      }
      segment.size = at;
      return places;
    }

    return {
      write: (entries) => inTurn(() => write(entries)),
      releaseBefore: (number) =>
        inTurn(async () => {
          const gone = own.filter((each) => each.number < number);
          own = own.filter((each) => each.number >= number);
          for (const each of gone) await remove(each);
        }),
      remove: () =>
        inTurn(async () => {
          for (const each of own.splice(0)) await remove(each);
        }),
    };
  }

  return {
    folder,
    open: openWriter,
    async bytes({ block, offset, length }) {
      const segment = segments.get(block);
      if (!segment) throw new JournalError("RELEASED", `segment ${block} of the spool was released`);
      const bytes = new Uint8Array(length);
      const { bytesRead } = await segment.file.read(bytes, 0, length, offset);
      if (bytesRead < length) throw new JournalError("DAMAGED", `segment ${block} ends before byte ${offset + length}`);
      return bytes;
    },
    storedBytes: () => [...segments.values()].reduce((sum, { size }) => sum + size, 0),
    async close() {
      for (const segment of segments.values()) await remove(segment);
      unlock();
    },
  };
}

/** A disk that is nearly full takes a part, and says no more than how much it was. */
async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, at);
  if (bytesWritten === bytes.length) return;
  const error = new Error(`the disk took ${bytesWritten} of ${bytes.length} bytes`);
  throw Object.assign(error, { code: "ENOSPC" });
}

function recordOf({ tenant, kind, receivedAt, body }: SpooledEntry, segment: number): Uint8Array {
  const name = Buffer.from(tenant);
  const bytes = new Uint8Array(padded(RECORD_HEAD + name.length + body.length));
  const view = new DataView(bytes.buffer);
  bytes.set(name, RECORD_HEAD);
  bytes.set(body, RECORD_HEAD + name.length);
  writeRecordHead(view, 0, { kind, tenantLength: name.length, bodyLength: body.length, receivedAt, flags: 0 });
  stampRecord(bytes, view, 0, { segment, salt: SALT });
  return bytes;
}
