import { renameSync, rmSync } from "node:fs";

/** Files that SQLite has beside the database while it is open, or after a crash. */
const BESIDE = ["-wal", "-shm"] as const;

export function removeDatabase(file: string): void {
  for (const end of ["", ...BESIDE]) rmSync(file + end, { force: true });
}

/** Both closed. */
export function moveDatabase(from: string, to: string): void {
  removeDatabase(to);
  renameSync(from, to);
}

/** Returns its new name. */
export function putAsideDatabase(file: string): string {
  const time = new Date().toISOString().replaceAll(/[^0-9]/g, "");
  const aside = `${file}.damaged-${time.slice(0, 14)}`;
  for (const end of BESIDE) rmSync(file + end, { force: true });
  renameSync(file, aside);
  return aside;
}
