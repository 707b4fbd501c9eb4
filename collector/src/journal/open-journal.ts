import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CollectorConfig } from "../config-schema.ts";
import type { Log } from "../log.ts";
import { lockFolder } from "./drivers/local/folder-lock.ts";
import { createLocalJournal } from "./drivers/local/local-journal.ts";
import { endOfFolder } from "./drivers/local/segment-name.ts";
import { storedPosition } from "./drivers/local/segment-place.ts";
import type { Position, RunningJournal } from "./journal.ts";
import type { JournalError } from "./journal-error.ts";

const folderOf = ({ data }: Pick<CollectorConfig, "data">) => join(data, "journal");

/**
 * The journal that the settings name; nobody else can open it until it is closed. `onDead`: nothing can be kept any more.
 * Throws `JournalError`: `LOCKED`, `NOT_A_JOURNAL`, `IO`, `NO_SPACE`.
 */
export function openJournal(
  config: Pick<CollectorConfig, "data" | "limits">,
  { log, onDead }: { readonly log: Log; readonly onDead: (error: JournalError) => void },
): Promise<RunningJournal> {
  return createLocalJournal({
    folder: folderOf(config),
    minFreeBytes: config.limits.freeDiskBytes,
    log,
    onDead,
  });
}

/** A journal that nobody can open until it is unlocked. */
export interface LockedJournal extends Pick<RunningJournal, "position"> {
  readonly end: Position;
  unlock(): void;
}

/** Keeps a collector from starting. Throws as `openJournal` does. */
export function lockJournal(config: Pick<CollectorConfig, "data">): LockedJournal {
  const folder = folderOf(config);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder);
  return { end: endOfFolder(folder), position: storedPosition, unlock };
}
