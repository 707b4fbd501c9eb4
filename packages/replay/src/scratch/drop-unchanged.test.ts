import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dropUnchanged } from "./drop-unchanged.ts";

let folder: string;
let scratch: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "unchanged-")));
  scratch = join(folder, "files");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Files with their originals, null: none; names of the copies that are left. */
function leftOf(files: Record<string, [copy: string, original: string | null]>): string[] {
  const tree = join(scratch, "copy-1", "tree", folder, "data");
  for (const [name, [copy, original]] of Object.entries(files)) {
    for (const [at, text] of [
      [join(tree, name), copy],
      [join(folder, "data", name), original],
    ] as const) {
      if (text === null) continue;
      mkdirSync(join(at, ".."), { recursive: true });
      writeFileSync(at, text);
    }
  }
  writeFileSync(join(scratch, "copy-1", "empty"), "");
  const left = dropUnchanged(scratch);
  const names = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  expect(left).toBe(names.length);
  return names.map(({ name }) => name).toSorted();
}

test("what equals its original goes; what was changed or made stays", () => {
  const long = "x".repeat(3 * 1024 * 1024);
  const files: Parameters<typeof leftOf>[0] = {
    "read.db": [long, long],
    "changed.txt": [`${long}a`, `${long}b`],
    "made.txt": ["new", null],
    "deep/er/read.txt": ["same", "same"],
    "deep/longer.txt": ["same and more", "same"],
  };
  expect(leftOf(files)).toEqual(["changed.txt", "longer.txt", "made.txt"]);
});

test("a database goes with what lies beside it, unless its changes are still in its log", () => {
  const files: Parameters<typeof leftOf>[0] = {
    "a.db": ["rows", "rows"],
    "a.db-wal": ["", null],
    "a.db-shm": ["index", null],
    "b.db": ["rows", "rows"],
    "b.db-wal": ["more rows", null],
    "b.db-shm": ["index", null],
    "c.db": ["rows and rows", "rows"],
    "c.db-wal": ["", null],
    "lone-wal": ["made", null],
  };
  expect(leftOf(files)).toEqual(["b.db", "b.db-shm", "b.db-wal", "c.db", "c.db-wal", "lone-wal"]);
});
