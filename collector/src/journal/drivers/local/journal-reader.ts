import { writeFile, open, type FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../../error-code.ts";
import type { Log } from "../../../log.ts";
import type { CommitThread } from "./commit-thread.ts";
import type { ByteReference, Entry, Position, ReadOptions } from "../../journal.ts";
import { JournalError } from "../../journal-error.ts";
import { type Damage, readSegment, WINDOW } from "./read-entries.ts";
import { damagedPath, segmentPath } from "./segment-name.ts";
import { placeOf, positionAt, type SegmentPlace } from "./segment-place.ts";

/** Files kept open for `bytes`. */
const KEPT_OPEN = 4;
/** Behind a reader that has read all, what comes in so many milliseconds is read at once: a read costs more than a commit. */
const GATHER_MS = 5;

/** The reading half of a local journal. */
export function createJournalReader(folder: string, { table, change, ended }: CommitThread, log: Log) {
  const files = new Map<number, Promise<FileHandle>>();
  const told = new Set<string>();
  let damagedBytes = 0;

  /** Bytes that are no record are kept beside the segment, once. */
  function damaged({ segment, offset, bytes }: Damage): void {
    const path = damagedPath(folder, segment, offset);
    if (told.has(path)) return;
    told.add(path);
    damagedBytes += bytes.length;
    log("error", "journal.damaged", { segment, offset, bytes: bytes.length, file: path });
    writeFile(path, bytes, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") log("error", "journal.not-set-aside", { error });
    });
  }

  async function grown(segment: number, at: number, signal?: AbortSignal): Promise<boolean> {
    for (;;) {
      if (signal?.aborted) return false;
      if (table.end(segment) > at) return true;
      if (segment !== table.active || ended()) return false;
      await change(signal);
      await sleep(GATHER_MS);
    }
  }

  function beginAt(from: Position): SegmentPlace {
    const { segment, offset } = table.durable();
    const start = placeOf(from);
    if (start === null || from > positionAt(segment, offset))
      throw new JournalError("CURSOR_AHEAD", `${from} is behind the end of ${folder}, or no position of it`);
    return start;
  }

  async function* read(
    from: Position,
    signal?: AbortSignal,
    { lent = false, onRead }: ReadOptions = {},
  ): AsyncGenerator<Entry, void> {
    const space = lent ? reusedWindow() : (bytes: number) => Buffer.allocUnsafeSlow(bytes);
    let place = beginAt(from);
    for (;;) {
      if (signal?.aborted) return;
      const segment = table.at(place);
      const offset = segment === place.segment ? place.offset : 0;
      if (ended() && segment === table.active && offset >= table.end(segment)) return;
      const source = {
        folder,
        segment,
        end: () => table.end(segment),
        grown: (at: number) => {
          onRead?.(positionAt(segment, at));
          return grown(segment, at, signal);
        },
        aborted: () => signal?.aborted === true,
        damaged,
        space,
      };
      try {
        yield* readSegment(source, offset);
      } catch (error) {
        if (table.has(segment)) throw JournalError.from(error, segmentPath(folder, segment));
        // released meanwhile: nobody needs it
      }
      place = segment === table.active ? { segment, offset: table.end(segment) } : { segment: segment + 1, offset: 0 };
    }
  }

  function fileOf(segment: number): Promise<FileHandle> {
    const known = files.get(segment);
    if (known) return known;
    const opened = open(segmentPath(folder, segment), "r");
    files.set(segment, opened);
    opened.catch(() => files.delete(segment));
    if (files.size > KEPT_OPEN) forget(files.keys().next().value!);
    return opened;
  }

  function forget(segment: number): void {
    const file = files.get(segment);
    files.delete(segment);
    // reads that are under way end first
    file?.then((handle) => handle.close()).catch(() => undefined);
  }

  async function bytes({ block: segment, offset, length }: ByteReference): Promise<Uint8Array> {
    if (!table.has(segment)) throw new JournalError("RELEASED", `segment ${segment} of ${folder} was released`);
    if (offset + length > table.end(segment)) {
      throw new JournalError("DAMAGED", `segment ${segment} of ${folder} ends before byte ${offset + length}`);
    }
    const file = await fileOf(segment);
    const into = Buffer.allocUnsafe(length);
    for (let at = 0; at < length;) {
      const { bytesRead } = await file.read(into, at, length - at, offset + at);
      if (bytesRead === 0) throw new JournalError("DAMAGED", `segment ${segment} of ${folder} ends at ${offset + at}`);
      at += bytesRead;
    }
    return into;
  }

  return {
    read,
    bytes,
    forget,
    damagedBytes: () => damagedBytes,
    close: async () => {
      const open = [...files.values()];
      files.clear();
      await Promise.allSettled(open.map(async (file) => (await file).close()));
    },
  };
}

/** One window for all; what is longer has memory of its own. */
function reusedWindow(): (bytes: number) => Buffer {
  const window = Buffer.allocUnsafeSlow(WINDOW);
  return (bytes) => (bytes <= WINDOW ? window.subarray(0, bytes) : Buffer.allocUnsafeSlow(bytes));
}
