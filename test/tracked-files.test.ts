import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

const NOT_TRACKED = /^(?:node_modules|dist|\.git|\.reenact)$/;

interface Locked {
  optionalDependencies?: Record<string, string>;
}

test("no tracked text file holds a conflict marker", () => {
  const files = sourceFiles("");
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((path) => holdsConflictMarker(textOf(path)))).toEqual([]);
});

test("conflict markers are found, and a line of equals signs alone is none", () => {
  const ours = "<".repeat(7);
  const theirs = ">".repeat(7);
  expect(holdsConflictMarker(`a\n${ours} HEAD\nb\n=======\nc\n${theirs} 1a2b3c4 (subject)\n`)).toBe(true);
  expect(holdsConflictMarker("Title\n=======\n")).toBe(false);
});

// `npm ci` refuses a lockfile that lacks one, if the registry at hand did not carry it when the lockfile was made
test("the lockfile holds every optional package that a locked package names", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const missing = Object.entries(packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(packages, at, name)),
  );
  expect(missing, "run `node .ci/complete-lock.mjs`").toEqual([]);
});

function isLocked(packages: Record<string, Locked>, at: string, name: string): boolean {
  for (let folder = at; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/"))))
    if (`${folder}/node_modules/${name}` in packages) return true;
  return `node_modules/${name}` in packages;
}

function holdsConflictMarker(text: string): boolean {
  return /^(?:<{7}|>{7}|\|{7})(?: |$)/m.test(text);
}

/** Without git, which a clean machine does not have. */
function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_TRACKED.test(entry.name) ? [] : sourceFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Empty for a file of bytes. */
function textOf(path: string): string {
  const text = readFileSync(join(root, path), "utf8");
  return text.includes("\0") ? "" : text;
}
