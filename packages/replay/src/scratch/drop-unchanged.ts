import { closeSync, lstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { join, sep } from "node:path";

const BLOCK = 1024 * 1024;
/** what SQLite keeps beside a database: nothing without it */
const BESIDE = /-(?:wal|shm|journal)$/;

/**
 * Removes from a replay's scratch folder the copies that equal their originals, such as a database that was only read.
 * Returns how many files are left.
 */
export function dropUnchanged(scratch: string): number {
  return readdirSync(scratch).reduce((left, copy) => left + dropBelow(join(scratch, copy, "tree"), ""), 0);
}

function dropBelow(tree: string, below: string): number {
  const folder = join(tree, below);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return 0;
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = new Set(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name));
  const isUnchanged = (name: string) => isSame(join(folder, name), originalOf(join(below, name)));
  // changes may still lie in a database's log alone
  const isLogged = (name: string) =>
    ["-wal", "-journal"].some(
      (end) => names.has(name + end) && !isUnchanged(name + end) && !isEmpty(join(folder, name + end)),
    );
  const going = [...names].filter((name) => {
    const base = names.has(name.replace(BESIDE, "")) ? name.replace(BESIDE, "") : name;
    return isUnchanged(base) && !isLogged(base);
  });
  for (const name of going) rmSync(join(folder, name), { force: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.reduce((left, { name }) => left + dropBelow(tree, join(below, name)), names.size - going.length);
}

/** The overlay's tree has the drive of a path as its first folder. */
const originalOf = (below: string): string =>
  process.platform === "win32" ? below.replace(/^([A-Za-z])(?=\\)/, "$1:") : sep + below;

const isEmpty = (path: string): boolean => lstatSync(path).size === 0;

function isSame(copy: string, original: string): boolean {
  const [a, b] = [copy, original].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (a?.isFile() !== true || b?.isFile() !== true || a.size !== b.size || a.mode !== b.mode) return false;
  const opened: number[] = [];
  try {
    for (const path of [copy, original]) opened.push(openSync(path, "r"));
    const readers = opened.map((file) => ({ file, block: Buffer.allocUnsafe(BLOCK) }));
    for (;;) {
      const [left, right] = readers.map(({ file, block }) => block.subarray(0, readSync(file, block)));
      if (left === undefined || right === undefined || !left.equals(right)) return false;
      if (left.length === 0) return true;
    }
  } catch {
    return false;
  } finally {
    for (const file of opened) closeSync(file);
  }
}
