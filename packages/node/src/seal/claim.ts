import { randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync, renameSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { CLOSED, readFrames } from "../spool/frame.ts";
import { readTargets, type Target } from "../spool/target.ts";
import type { StoreLayout } from "../store-layout.ts";
import { isAlive } from "./is-alive.ts";
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
}

export interface Claim {
  /** the file under its claimed name */
  readonly path: string;
  readonly stem: string;
  /** Gives the file back, as one that still waits. */
  release(): void;
}

/** What the first frame of a file says. */
export interface Opening {
  readonly launch?: unknown;
  readonly pid?: unknown;
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
    if (rule.wanted !== undefined && !rule.wanted(openingOf(path), stem, sizeOf(path))) continue;
    const holder = CLAIMED.exec(name)?.[2];
    if (holder === undefined ? !isSilent(path, rule) : !isAbandoned(path, Number(holder))) continue;
    const claimed = join(layout.spool, `${stem}.claimed-${process.pid}-${randomBytes(4).toString("hex")}`);
    if (!moved(path, claimed)) continue;
    // its writer may have woken up in the same instant
    if (holder === undefined && !isSilent(claimed, rule)) moved(claimed, path);
    else {
      const now = new Date();
      utimesSync(claimed, now, now);
      claims.push({ path: claimed, stem, release: () => void moved(claimed, join(layout.spool, `${stem}.spool`)) });
    }
  }
  return claims;
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

function isSilent(path: string, rule: ClaimRule): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return false;
  if (rule.instance !== undefined) return true;
  const age = Date.now() - there.mtimeMs;
  const over = age > rule.olderThanMs || endsClosed(path, there.size);
  if (over && age > (rule.sure === true ? SLEEP_MS : HELD_MS)) return true;
  const { launch, pid } = openingOf(path);
  // its own process sends it, as long as there is one
  if (rule.sure === true && isAlive(Number(pid)))
    return age > SLEEP_MS || (age > rule.olderThanMs && endsClosed(path, there.size));
  if (rule.launch !== undefined && launch === rule.launch) return over || !isAlive(Number(pid));
  return over && !(typeof launch === "string" && isAlive(launcherOf(launch)));
}

function isAbandoned(path: string, holder: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined || holder === process.pid) return false;
  return !isAlive(holder) || Date.now() - there.mtimeMs > HELD_MS;
}

function endsClosed(path: string, size: number): boolean {
  return size >= CLOSED.length && bytesAt(path, size - CLOSED.length, CLOSED.length).equals(CLOSED);
}

/** The first frame is a few hundred bytes long. What cannot be read says nothing. */
function openingOf(path: string): Opening {
  try {
    const first = readFrames(bytesAt(path, 0, 64 * 1024)).frames[0];
    if (first?.kind !== "open") return { targets: [] };
    const { launch, pid, to } = JSON.parse(first.payload.toString()) as Record<string, unknown>;
    return { launch, pid, targets: readTargets(to) };
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
