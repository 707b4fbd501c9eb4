import { randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync, renameSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@reenact/envelope";
import { CLOSED, readFrames } from "../spool/frame.ts";
import { readTargets, type Target } from "../spool/target.ts";
import type { StoreLayout } from "../config/store-layout.ts";
import { pidSpace } from "../process/pid-space.ts";
import { isAlive } from "../process/is-alive.ts";
import { launcherOf } from "./launch-name.ts";

export interface ClaimRule {
  /** milliseconds without a write after which the writer of a file is taken for dead */
  olderThanMs: number;
  /** only files of this process, whatever their age: the caller knows that it is dead */
  instance?: string | undefined;
  /** also files of dead processes that were started under this name; those of another launcher that lives are left to it */
  launch?: string | undefined;
  /** never files of this process */
  except?: string | undefined;
  /** the caller's action is irreversible, so wait longer before assuming that the writer is dead */
  irreversible?: boolean | undefined;
  /** only files of which this is true; `stem`: its name without what follows the first dot */
  wanted?: ((opening: Opening, stem: string, size: number) => boolean) | undefined;
  /** called for each wanted file that cannot be claimed */
  held?: ((reason: NotClaimable, path: string, opening: Opening) => void) | undefined;
}

export interface Claim {
  /** the file under its claimed name */
  readonly path: string;
  readonly stem: string;
  /** when it was last written before it was claimed, epoch ms */
  readonly since: number;
  /** Renews the claim: a claim that is not renewed counts as abandoned. */
  touch(): void;
  /** Gives the file back with its former modification time, so that the next sealer can claim it at once. */
  release(): void;
}

/** Why a file cannot be claimed. */
export interface NotClaimable {
  /**
   * `lives`: its process runs, and sends by itself; `launched`: its launcher runs and has not claimed it yet; `fresh`: it was
   * written a moment ago, and whether its process runs cannot be known; `taken`: another process has claimed it.
   */
  readonly why: "lives" | "launched" | "fresh" | "taken";
  /** of the process that `why` names */
  readonly pid: number;
  /** milliseconds after which the file can be claimed, at the latest; null: when that process has ended */
  readonly againMs: number | null;
}

/** The first frame of a file. */
export interface Opening {
  readonly launch?: unknown;
  readonly pid?: unknown;
  readonly pidSpace?: unknown;
  readonly targets: readonly Target[];
}

const SPOOL = /^(.+)\.spool$/;
const CLAIMED = /^(.+)\.claimed-(\d+)-[0-9a-f]+$/;
/** Milliseconds after which a sealer that holds a file, or a launcher that has not claimed one, is taken for dead. */
const HELD_MS = 60_000;
/** Milliseconds without a write after which a process is not merely suspended. */
const SLEEP_MS = 600_000;

/** Claims, by renaming, the files without a writer. Of two sealers, the one that renames a file first has it. */
export function claimFiles(layout: StoreLayout, rule: ClaimRule): Claim[] {
  return namesIn(layout.spool).flatMap((name) => {
    const stem = (SPOOL.exec(name) ?? CLAIMED.exec(name))?.[1];
    if (stem === undefined || !isOfRule(stem, rule)) return [];
    return claimFile(layout.spool, name, stem, rule) ?? [];
  });
}

function isOfRule(stem: string, { instance, except }: ClaimRule): boolean {
  if (instance !== undefined && !ofInstance(stem, instance)) return false;
  return except === undefined || !ofInstance(stem, except);
}

function claimFile(folder: string, name: string, stem: string, rule: ClaimRule): Claim | null {
  const path = join(folder, name);
  const opening = openingOf(path);
  if (rule.wanted !== undefined && !rule.wanted(opening, stem, sizeOf(path))) return null;
  const holder = CLAIMED.exec(name)?.[2];
  const reason = holder === undefined ? reasonToLeave(path, opening, rule) : claimedBy(Number(holder), path);
  if (reason !== null) {
    rule.held?.(reason, path, opening);
    return null;
  }
  const claimed = join(folder, `${stem}.claimed-${process.pid}-${randomBytes(4).toString("hex")}`);
  if (!moved(path, claimed)) return null;
  // its writer may have resumed in the same instant
  const late = holder === undefined ? reasonToLeave(claimed, opening, rule) : null;
  if (late === null) return claimOf(claimed, stem, join(folder, `${stem}.spool`));
  moved(claimed, path);
  rule.held?.(late, path, opening);
  return null;
}

function claimOf(path: string, stem: string, free: string): Claim {
  const since = mtimeOf(path);
  let touched = since;
  function setTime(ms: number): void {
    try {
      utimesSync(path, ms / 1000, ms / 1000);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }
  function touch(): void {
    setTime(Date.now());
    touched = mtimeOf(path);
  }
  touch();
  return {
    path,
    stem,
    since,
    touch,
    release() {
      // a later time is that of a writer that has resumed
      if (mtimeOf(path) === touched) setTime(since);
      moved(path, free);
    },
  };
}

/** Ids of the other processes that hold a file. */
export function sealersOf(layout: StoreLayout): number[] {
  const holders = namesIn(layout.spool).flatMap((name) => {
    const holder = Number(CLAIMED.exec(name)?.[2] ?? process.pid);
    const isHeld = holder !== process.pid && claimedBy(holder, join(layout.spool, name)) !== null;
    return isHeld ? [holder] : [];
  });
  return [...new Set(holders)];
}

/** Every file of the spool, also those with a writer. */
export function spoolFiles(layout: StoreLayout): { path: string; stem: string; opening: Opening; size: number }[] {
  return namesIn(layout.spool).flatMap((name) => {
    const stem = (SPOOL.exec(name) ?? CLAIMED.exec(name))?.[1];
    const path = join(layout.spool, name);
    return stem === undefined ? [] : [{ path, stem, opening: openingOf(path), size: sizeOf(path) }];
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function mtimeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function ofInstance(stem: string, instance: string): boolean {
  return stem === instance || new RegExp(`^-\\d+$`).test(stem.startsWith(instance) ? stem.slice(instance.length) : "");
}

function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Null: it has no writer. */
function reasonToLeave(path: string, opening: Opening, rule: ClaimRule): NotClaimable | null {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined || rule.instance !== undefined) return null;
  const age = Date.now() - there.mtimeMs;
  const closed = endsClosed(path, there.size);
  const over = closed || age > rule.olderThanMs || isGone(opening);
  const most = rule.irreversible === true ? SLEEP_MS : HELD_MS;
  if (over && age > most) return null;
  const pid = Number(opening.pid);
  if (rule.irreversible === true && isAlive(pid)) return leftToWriter(pid, closed ? rule.olderThanMs : SLEEP_MS, age);
  return leftToOthers(opening, rule, over ? null : rule.olderThanMs - age, most - age);
}

/** `freshMs`: milliseconds for which it counts as written; null: it has no writer. */
function leftToOthers(opening: Opening, rule: ClaimRule, freshMs: number | null, againMs: number): NotClaimable | null {
  const pid = Number(opening.pid);
  const isOurs = rule.launch !== undefined && opening.launch === rule.launch;
  if (freshMs !== null && (!isOurs || isAlive(pid)))
    return { why: isAlive(pid) ? "lives" : "fresh", pid, againMs: freshMs };
  return isOurs ? null : leftToLauncher(opening, againMs);
}

/** Its own process sends it, as long as there is one. Null: it has written nothing for `most` milliseconds. */
function leftToWriter(pid: number, most: number, age: number): NotClaimable | null {
  return age > Math.min(most, SLEEP_MS) ? null : { why: "lives", pid, againMs: null };
}

/** Null: no launcher of it runs. */
function leftToLauncher({ launch }: Opening, againMs: number): NotClaimable | null {
  const launcher = typeof launch === "string" ? launcherOf(launch) : 0;
  return isAlive(launcher) ? { why: "launched", pid: launcher, againMs } : null;
}

/** Null: that sealer has abandoned it. */
function claimedBy(holder: number, path: string): NotClaimable | null {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return null;
  const left = HELD_MS - (Date.now() - there.mtimeMs);
  const holds = holder === process.pid || (isAlive(holder) && left >= 0);
  return holds ? { why: "taken", pid: holder, againMs: Math.max(left, 0) } : null;
}

/** Whether its process has certainly ended; unknown for an id from another machine or container. */
function isGone({ pid, pidSpace: space }: Opening): boolean {
  return typeof space === "string" && space === pidSpace() && !isAlive(Number(pid));
}

/** False for a file that another sealer has taken since. */
function endsClosed(path: string, size: number): boolean {
  try {
    return size >= CLOSED.length && bytesAt(path, size - CLOSED.length, CLOSED.length).equals(CLOSED);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** The first frame is a few hundred bytes long. One that cannot be read has no fields. */
function openingOf(path: string): Opening {
  try {
    const first = readFrames(bytesAt(path, 0, 64 * 1024)).frames[0];
    if (first?.kind !== "open") return { targets: [] };
    const { launch, pid, pidSpace, to } = JSON.parse(first.payload.toString()) as Record<string, unknown>;
    return { launch, pid, pidSpace, targets: readTargets(to) };
  } catch {
    return { targets: [] };
  }
}

function bytesAt(path: string, from: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  const fd = openSync(path, "r");
  try {
    return buffer.subarray(0, readSync(fd, buffer, 0, length, from));
  } finally {
    closeSync(fd);
  }
}
