import { mkdirSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { type Log, noLog } from "../../../log.ts";
import { startCommitThread } from "./commit-thread.ts";
import { lockFolder } from "./folder-lock.ts";
import type { RunningJournal } from "../../journal.ts";
import { createJournalReader } from "./journal-reader.ts";
import type { LocalJournalOptions } from "./local-journal-options.ts";
import { segmentPath } from "./segment-name.ts";
import { placeOf, positionAt, storedPosition } from "./segment-place.ts";

/** Opens the journal in a folder, or makes one. Throws `JournalError`: `LOCKED`, `NOT_A_JOURNAL`, `IO`, `NO_SPACE`. */
export async function createLocalJournal(options: LocalJournalOptions): Promise<RunningJournal> {
  const { folder, log = noLog } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder);
  try {
    return await openLocked(options, log, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openLocked(options: LocalJournalOptions, log: Log, unlock: () => void): Promise<RunningJournal> {
  const { folder } = options;
  const thread = await startCommitThread(options, log);
  const { table } = thread;
  const reader = createJournalReader(folder, thread, log);
  return {
    address: { driver: "local", folder },
    append: thread.append,
    read: reader.read,
    bytes: reader.bytes,
    release: (upTo) => {
      const place = placeOf(upTo);
      for (const segment of place === null ? [] : table.release(place)) {
        reader.forget(segment);
        unlink(segmentPath(folder, segment)).catch((error: unknown) => log("warn", "journal.not-released", { error }));
      }
    },
    durable: () => {
      const { segment, offset } = table.durable();
      return positionAt(segment, offset);
    },
    bytesAfter: (position) => table.bytesAfter(placeOf(position) ?? { segment: 0, offset: 0 }),
    position: storedPosition,
    close: async () => {
      await thread.close();
      await reader.close();
      unlock();
    },
    status: () => ({
      ...thread.counts(),
      storedBytes: table.storedBytes,
      damagedBytes: reader.damagedBytes(),
    }),
  };
}
