import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { execFile, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CLOSED, encodeFrame } from "../spool/frame.ts";
import { pidSpace } from "../process/pid-space.ts";
import { type StoreLayout, storeLayout } from "../config/store-layout.ts";
import { claimFiles, type NotClaimable } from "./claim.ts";

let layout: StoreLayout;
beforeEach(() => {
  layout = storeLayout(mkdtempSync(join(tmpdir(), "claim-")));
  mkdirSync(layout.spool);
});
afterEach(() => rmSync(layout.folder, { recursive: true, force: true }));

/** Id of a process that has ended. */
const dead = spawnSync(process.execPath, ["--version"]).pid;
const ELSEWHERE = "another machine pid:[1]";

function put(name: string, opening: object, ageMs: number, ...frames: Buffer[]): void {
  const path = join(layout.spool, name);
  writeFileSync(path, Buffer.concat([encodeFrame("open", JSON.stringify({ v: 1, ...opening })), ...frames]));
  const then = (Date.now() - ageMs) / 1000;
  utimesSync(path, then, then);
}

function claim(rule: { launch?: string; irreversible?: boolean } = { irreversible: true }) {
  const held: NotClaimable[] = [];
  const claims = claimFiles(layout, { olderThanMs: 5000, ...rule, held: (reason) => held.push(reason) });
  return { claims, held, stems: claims.map(({ stem }) => stem) };
}

test("a file that was given back can be taken again at once", () => {
  put("a.spool", { pid: dead, pidSpace: ELSEWHERE }, 6000);
  for (let turn = 0; turn < 3; turn++) {
    const { claims, held } = claim();
    expect([claims.length, held]).toEqual([1, []]);
    claims[0]?.touch();
    claims[0]?.release();
  }
  expect(readdirSync(layout.spool)).toEqual(["a.spool"]);
});

test("what was written while a file was held counts: its writer has woken up", () => {
  put("a.spool", { pid: dead, pidSpace: ELSEWHERE }, 6000);
  const [held] = claim().claims;
  const now = Date.now() / 1000 + 1;
  utimesSync(held!.path, now, now);
  held?.release();
  expect(claim().held).toEqual([{ why: "fresh", pid: dead, againMs: expect.any(Number) as number }]);
});

test.skipIf(pidSpace() === null)("a process that is surely gone is not waited for", () => {
  put("gone.spool", { pid: dead, pidSpace: pidSpace() }, 0);
  put("elsewhere.spool", { pid: dead, pidSpace: ELSEWHERE }, 1000);
  put("old.spool", { pid: dead }, 1000);
  const { stems, held } = claim();
  expect(stems).toEqual(["gone"]);
  expect(held.map(({ why }) => why)).toEqual(["fresh", "fresh"]);
  for (const { againMs } of held) expect(againMs).toBeLessThanOrEqual(4000);
});

test("each file that is left is told, with why", () => {
  put("lives.spool", { pid: process.ppid, pidSpace: pidSpace() }, 60_000);
  put("launched.spool", { pid: dead, launch: `${process.ppid}-a` }, 10_000, CLOSED);
  put(`taken.claimed-${process.ppid}-00`, { pid: dead }, 10_000);
  const { stems, held } = claim();
  expect(stems).toEqual([]);
  expect(held).toEqual([
    { why: "launched", pid: process.ppid, againMs: expect.any(Number) as number },
    { why: "lives", pid: process.ppid, againMs: null },
    { why: "taken", pid: process.ppid, againMs: expect.any(Number) as number },
  ]);
  expect(claim({ irreversible: true, launch: `${process.ppid}-a` }).stems).toEqual(["launched"]);
});

test("of sealers that look at the same files at once none fails, and all are taken", async () => {
  for (let n = 0; n < 400; n++) put(`${n}.spool`, {}, 60_000, CLOSED);
  const code = `
    const { claimFiles } = await import(${JSON.stringify(new URL("claim.ts", import.meta.url).href)});
    process.stdout.write(String(claimFiles(${JSON.stringify(layout)}, { olderThanMs: 5000 }).length));`;
  const took = await Promise.all(
    [1, 2, 3].map(async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code]);
      return Number(stdout);
    }),
  );
  // one that begins when another has ended takes over what that one has left
  expect(took.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(400);
});
