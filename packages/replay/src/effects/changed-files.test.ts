import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isLive } from "@reenact/capture/recorder";
import { changedFiles } from "./changed-files.ts";
import { installScratch } from "../scratch/scratch.ts";
import type { RootFacts, Tape } from "../tape/tape.ts";

const folder = mkdtempSync(join(tmpdir(), "changed-files-"));
const started = Date.UTC(2026, 0, 1);
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, mtime: number): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  utimesSync(path, mtime / 1000, mtime / 1000);
  return path;
}

type Told = [kind: string, target: string, at: number];

function told(...leaks: Told[]): string | null {
  return toldWhere(false, ...leaks);
}

function toldWhere(requestDiffers: boolean, ...leaks: Told[]): string | null {
  const facts = { count: 1, scope: -1, stack: "" };
  const root: RootFacts = { leaks: leaks.map(([kind, target, at]) => ({ kind, target, at, ...facts })) };
  return changedFiles({ started, root } as Tape, requestDiffers);
}

test("a file that was read and has been written since is named, and where there is none, one that is not there", () => {
  const config = file("config.json", started + 5000);
  const gone = join(folder, "gone");
  expect(told(["write", `database ${config}`, 1])).toContain(`${config} (written`);
  expect(told(["read", gone, 1], ["read", config, 2])).toBe(
    `files that it reads are not as they were when the recorded run began: ${config} (written 2026-01-01T00:00:05Z)`,
  );
  // the record does not say whether it was there
  const line = `files that it looks for are gone, or were never there: ${gone}`;
  expect(told(["read", gone, 1])).toBe(line);
  // it may have been read and removed
  expect(told(["read", gone, 1], ["write", gone, 2])).toBe(line);
  // where a request differs, that says more
  expect(toldWhere(true, ["read", gone, 1])).toBe(null);
  expect(toldWhere(true, ["read", config, 1])).toContain(config);
});

test("neither what the run itself made, and is gone, is named, nor what the system makes up", () => {
  const gone = join(folder, "gone");
  expect(told(["write", gone, 1], ["read", gone, 2])).toBe(null);
  expect(told(["write", `database ${gone}`, 1])).toBe(null);
  expect(told(["read", "/proc/self/cgroup", 1], ["read", "/sys/none", 2], ["read", "/dev/none", 3])).toBe(null);
});

test("a file that the program adds to and then reads is named: it was shorter when the recorded run began", () => {
  const log = file("log", started + 5000);
  writeFileSync(log, "one\n");
  utimesSync(log, started / 1000 + 5, started / 1000 + 5);
  const appended: Told[] = [
    ["write", log, 1],
    ["read", log, 2],
  ];
  expect(told(...appended)).toBe(null);
  const scratch = installScratch({
    folder: join(folder, "scratch"),
    applies: () => !isLive(),
    ignore: () => false,
    onCopy: () => {},
  });
  try {
    appendFileSync(log, "two\n");
    expect(told(...appended)).toContain(`${log} (written 2026-01-01T00:00:05Z)`);
    writeFileSync(log, "another, and longer");
    expect(told(...appended)).toBe(null);
  } finally {
    scratch.undo();
  }
});

test("neither an older file is named, nor one that the run itself had written before it read it", () => {
  expect(told(["read", file("old", started - 5000), 1])).toBe(null);
  const own = file("own", started + 1);
  expect(told(["write", own, 1], ["read", own, 2])).toBe(null);
  expect(told(["read", own, 1], ["write", own, 2])).toContain(own);
});
