import { randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync, renameSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { CLOSED, readFrames } from "../spool/frame.ts";
import { readTargets, type Target } from "../spool/target.ts";
import type { StoreLayout } from "../config/store-layout.ts";
import { pidSpace } from "../process/pid-space.ts";
import { isAlive } from "../process/is-alive.ts";
import { launcherOf } from "./launch-name.ts";

export interface ClaimRule {
  /** a file that has been silent this long has no living writer */
  olderThanMs: number;
  /** only files of this process, whatever their age: the caller knows that it is dead */
  instance?: string | undefined;
  /** also files of dead processes that were started under this name; those of another launcher that lives are left to it */
  launch?: string | undefined;
  /** never files of this process */
  except?: string | undefined;
  /** what is made of a file cannot be taken back: one whose process may only sleep is left for longer */
  sure?: boolean | undefined;
  /** only files of which this is true; `stem`: its name without what follows the first dot */
  wanted?: ((opening: Opening, stem: string, size: number) => boolean) | undefined;
  /** told of each file that is wanted, and left where it is */
  held?: ((hold: Hold, path: string, opening: Opening) => void) | undefined;
}

export interface Claim {
  /** the file under its claimed name */
  readonly path: string;
  readonly stem: string;
  /** Says that it is still held: one that is not touched is taken for left behind. */
  touch(): void;
  /** Gives the file back as one that still waits, as long silent as it was: who comes next may take it at once. */
  release(): void;
}

/** Why a file is left where it is. */
export interface Hold {
  /**
   * `lives`: its process runs, and sends by itself; `launched`: who started that has not come for the file yet; `fresh`: it
   * was written to a moment ago, and its process cannot be asked for; `taken`: another process is at it.
   */
  readonly why: "lives" | "launched" | "fresh" | "taken";
  /** of whoever is meant */
  readonly pid: number;
  /** milliseconds after which nobody minds any more, at the latest; null: when that process has ended */
  readonly againMs: number | null;
}

/** What the first frame of a file says. */
export interface Opening {
  readonly launch?: unknown;
  readonly pid?: unknown;
  readonly pidSpace?: unknown;
  readonly targets: readonly Target[];
}

const SPOOL = /^(.+)\.spool$/;
const CLAIMED = /^(.+)\.claimed-(\d+)-[0-9a-f]+$/;
/** A sealer that has held a file this long is taken for dead, and a launcher that has not come for one. */
const HELD_MS = 60_000;
/** A process that has been silent this long does not only sleep. */
const SLEEP_MS = 600_000;

/** Takes, by renaming, the files that nobody writes any more; a file that another sealer takes first is left to it. */
export function claimFiles(layout: StoreLayout, rule: ClaimRule): Claim[] {
  const claims: Claim[] = [];
  for (const name of namesIn(layout.spool)) {
    const path = join(layout.spool, name);
    const stem = (SPOOL.exec(name) ?? CLAIMED.exec(name))?.[1];
    if (stem === undefined || (rule.instance !== undefined && !ofInstance(stem, rule.instance))) continue;
    if (rule.except !== undefined && ofInstance(stem, rule.except)) continue;
    const opening = openingOf(path);
    if (rule.wanted !== undefined && !rule.wanted(opening, stem, sizeOf(path))) continue;
    const holder = CLAIMED.exec(name)?.[2];
    const hold = holder === undefined ? holdOf(path, opening, rule) : holdBy(Number(holder), path);
    if (hold !== null) {
      rule.held?.(hold, path, opening);
      continue;
    }
    const claimed = join(layout.spool, `${stem}.claimed-${process.pid}-${randomBytes(4).toString("hex")}`);
    if (!moved(path, claimed)) continue;
    // its writer may have woken up in the same instant
    const woken = holder === undefined ? holdOf(claimed, opening, rule) : null;
    if (woken !== null) {
      moved(claimed, path);
      rule.held?.(woken, path, opening);
    } else claims.push(claimOf(claimed, stem, join(layout.spool, `${stem}.spool`)));
  }
  return claims;
}

function claimOf(path: string, stem: string, free: string): Claim {
  const since = mtimeOf(path);
  let touched = since;
  function setTime(ms: number): void {
    try {
      utimesSync(path, ms / 1000, ms / 1000);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
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
    touch,
    release() {
      // a later time is that of a writer who has woken up
      if (mtimeOf(path) === touched) setTime(since);
      moved(path, free);
    },
  };
}

/** Every file that waits, whoever may be writing it. */
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
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
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
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Null: nobody writes it any more. */
function holdOf(path: string, opening: Opening, rule: ClaimRule): Hold | null {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined || rule.instance !== undefined) return null;
  const age = Date.now() - there.mtimeMs;
  const closed = endsClosed(path, there.size);
  const pid = Number(opening.pid);
  const over = age > rule.olderThanMs || closed || isGone(opening);
  const most = rule.sure === true ? SLEEP_MS : HELD_MS;
  if (over && age > most) return null;
  // its own process sends it, as long as there is one
  if (rule.sure === true && isAlive(pid))
    return age > SLEEP_MS || (age > rule.olderThanMs && closed) ? null : { why: "lives", pid, againMs: null };
  const { launch } = opening;
  const ours = rule.launch !== undefined && launch === rule.launch;
  if (!over && !(ours && !isAlive(pid)))
    return { why: isAlive(pid) ? "lives" : "fresh", pid, againMs: rule.olderThanMs - age };
  const launcher = typeof launch === "string" && !ours ? launcherOf(launch) : 0;
  return isAlive(launcher) ? { why: "launched", pid: launcher, againMs: most - age } : null;
}

/** Null: that sealer has left it behind. */
function holdBy(holder: number, path: string): Hold | null {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return null;
  const left = HELD_MS - (Date.now() - there.mtimeMs);
  const holds = holder === process.pid || (isAlive(holder) && left >= 0);
  return holds ? { why: "taken", pid: holder, againMs: Math.max(left, 0) } : null;
}

/** Whether its process has certainly ended. An id from another machine or container says nothing of that. */
function isGone({ pid, pidSpace: space }: Opening): boolean {
  return typeof space === "string" && space === pidSpace() && !isAlive(Number(pid));
}

/** False for a file that another sealer has taken since. */
function endsClosed(path: string, size: number): boolean {
  try {
    return size >= CLOSED.length && bytesAt(path, size - CLOSED.length, CLOSED.length).equals(CLOSED);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** The first frame is a few hundred bytes long. What cannot be read says nothing. */
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
