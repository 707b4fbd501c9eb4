import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { changedFiles } from "./changed-files.ts";
import type { RootFacts, Tape } from "./tape.ts";

const folder = mkdtempSync(join(tmpdir(), "changed-files-"));
const started = Date.UTC(2026, 0, 1);
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, mtime: number): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  utimesSync(path, mtime / 1000, mtime / 1000);
  return path;
}

function told(...leaks: [kind: string, target: string, at: number][]): string | null {
  const facts = { count: 1, scope: -1, stack: "" };
  const root: RootFacts = { leaks: leaks.map(([kind, target, at]) => ({ kind, target, at, ...facts })) };
  return changedFiles({ started, root } as Tape);
}

test("a file that was read and has been written since is named, and one that is gone", () => {
  const config = file("config.json", started + 5000);
  const gone = join(folder, "gone");
  expect(told(["write", `database ${config}`, 1])).toContain(`${config} (written`);
  expect(told(["read", gone, 1], ["read", config, 2])).toBe(
    `files that it reads are not as they were when the recorded run began: ${config} (written 2026-01-01T00:00:05Z), ${gone} (gone, or never there)`,
  );
});

test("neither an older file is named, nor one that the run itself had written before it read it", () => {
  expect(told(["read", file("old", started - 5000), 1])).toBe(null);
  const own = file("own", started + 1);
  expect(told(["write", own, 1], ["read", own, 2])).toBe(null);
  expect(told(["read", own, 1], ["write", own, 2])).toContain(own);
});
