import { randomBytes } from "node:crypto";
import fs, { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "@reenact/envelope";

/** A file that appears whole or not at all, and is on the disk when this returns. Mode 600. */
export function writeWhole(path: string, bytes: Uint8Array): void {
  writeNamedLater(path, bytes);
  syncFolder(dirname(path));
}

/** The same; that the file has its name is on the disk once `syncFolder` has returned. */
export function writeNamedLater(path: string, bytes: Uint8Array): void {
  const folder = dirname(path);
  makeFolder(fs, folder);
  const fresh = `${path}.tmp-${process.pid}-${randomBytes(4).toString("hex")}`;
  const fd = openSync(fresh, "wx", 0o600);
  try {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  renameSync(fresh, path);
}

/** Puts the names of a folder's files on the disk. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
