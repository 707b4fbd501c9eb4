import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { JournalError } from "../../journal-error.ts";

/**
 * Keeps a folder to one process. The lock is the kernel's, held through SQLite: it ends with the process, whatever
 * ends it, and leaves nothing stale. Returns what gives it up.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "lock");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === 5;
    if (isBusy) throw new JournalError("LOCKED", `${folder} is in use by another process`, error);
    throw JournalError.from(error, path);
  }
  const held = database;
  return () => {
    if (held.isOpen) held.close();
  };
}
