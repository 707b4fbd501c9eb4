import { dirname } from "node:path";
import { errorCode } from "../value/error-code.ts";

/** What makes folders, `node:fs` or one that looks like it: a recorder has its own, from before any patch. */
export interface FolderMaker {
  mkdirSync(path: string, options: { mode: number }): unknown;
  statSync(path: string, options: { throwIfNoEntry: false }): { isDirectory(): boolean } | undefined;
}

/**
 * Makes a folder for this user alone, and what is missing above it; it stands here since all packages have this one. Not by
 * Node's `recursive`: below a folder of the kernel, such as /proc, that tries for ever. Throws as `node:fs` does.
 */
export function makeFolder(disk: FolderMaker, folder: string): void {
  if (isMade(disk, folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(disk, above);
  if (isMade(disk, folder)) return;
  const facts = { code: "ENOENT", syscall: "mkdir", path: folder };
  throw Object.assign(new Error(`ENOENT: no folder can be made in ${above}`), facts);
}

/** False: what it is to stand in is missing, or says so. */
function isMade(disk: FolderMaker, folder: string): boolean {
  try {
    disk.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return false;
    // which error stands for "it is there" differs from system to system
    if (code === "ENOTDIR" || !isFolder(disk, folder)) throw error;
    return true;
  }
}

function isFolder(disk: FolderMaker, path: string): boolean {
  return disk.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
