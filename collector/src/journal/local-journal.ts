import { mkdirSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { type Log, noLog } from "../log.ts";
import { startCommitThread } from "./commit-thread.ts";
import { lockFolder } from "./folder-lock.ts";
import type { Journal, Position } from "./journal.ts";
import type { JournalError } from "./journal-error.ts";
import { createJournalReader } from "./journal-reader.ts";
import type { LocalJournalOptions } from "./local-journal-options.ts";
import { segmentPath } from "./segment-name.ts";

export interface LocalJournalStatus {
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

export interface LocalJournal extends Journal {
  status(): LocalJournalStatus;
  /** Bytes of durable records at or behind the position that were not released. */
  bytesAfter(position: Position): number;
}

/** Opens the journal in a folder, or makes one. Throws `JournalError`: `LOCKED`, `NOT_A_JOURNAL`, `IO`, `NO_SPACE`. */
export async function createLocalJournal(options: LocalJournalOptions): Promise<LocalJournal> {
  const { folder, log = noLog } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder);
  try {
    return await openJournal(options, log, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openJournal(options: LocalJournalOptions, log: Log, unlock: () => void): Promise<LocalJournal> {
  const { folder } = options;
  const thread = await startCommitThread(options, log);
  const { table } = thread;
  const reader = createJournalReader(folder, thread, log);
  return {
    append: thread.append,
    read: reader.read,
    bytes: reader.bytes,
    release: (upTo) => {
      for (const segment of table.release(upTo)) {
        reader.forget(segment);
        unlink(segmentPath(folder, segment)).catch((error: unknown) => log("warn", "journal.not-released", { error }));
      }
    },
    durable: () => table.durable(),
    bytesAfter: (position) => table.bytesAfter(position),
    close: async () => {
      await thread.close();
      await reader.close();
      unlock();
    },
    status: () => ({
      ...thread.counts(),
      storedBytes: table.storedBytes,
      segments: table.count,
      damagedBytes: reader.damagedBytes(),
    }),
  };
}
