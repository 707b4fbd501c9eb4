import fs, { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "make-folder-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test("makes what is missing, for this user alone, and leaves what is there", () => {
  const folder = join(base, "a", "b", "c");
  makeFolder(fs, folder);
  makeFolder(fs, folder);
  for (const each of [folder, join(base, "a")]) expect(statSync(each).mode & 0o777).toBe(0o700);
});

test.skipIf(process.platform !== "linux").each(["/proc/foo", "/proc/foo/bar/spool"])(
  "%s ends with an error",
  (path) => {
    expect(() => makeFolder(fs, path)).toThrow(expect.objectContaining({ code: "ENOENT", syscall: "mkdir" }));
    expect(() => makeFolder(fs, path)).toThrow("no folder can be made in /proc");
  },
);

test("a file in its place, or above it, and a link to nowhere are what the file system calls them", () => {
  writeFileSync(join(base, "file"), "");
  symlinkSync(join(base, "nowhere"), join(base, "link"));
  expect(() => makeFolder(fs, join(base, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(fs, join(base, "file", "below"))).toThrow("ENOTDIR");
  expect(() => makeFolder(fs, join(base, "link"))).toThrow("EEXIST");
  expect(() => makeFolder(fs, join(base, "link", "below"))).toThrow("EEXIST");
});
