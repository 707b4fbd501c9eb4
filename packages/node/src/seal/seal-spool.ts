import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { belongsHere, readCursor, removeCursor, waitingTargets, writeCursor } from "../spool/cursor.ts";
import { storeLayout, type StoreLayout } from "../config/store-layout.ts";
import { isCollector, type Target } from "../spool/target.ts";
import { type Claim, claimFiles, type Opening } from "./claim.ts";
import { type HeldRuns, reportHeldRuns } from "./held-runs.ts";
import { type SealedRun, sealRun } from "./seal-run.ts";
import { readSpool } from "./spooled-run.ts";
import { sweepUnfinished } from "./sweep.ts";
import { syncFolder } from "./write-whole.ts";

export interface SealOptions {
  /** files that were closed, have been silent this long, or whose process is surely gone are sealed; default 5000 */
  onlyClosedOrOlderThanMs?: number;
  /** only the files of this process, which is known to be dead */
  instance?: string;
  /** also files of dead processes that were started with `REENACT_LAUNCH` set to this */
  launch?: string;
  /** also what is meant for a collector that has not taken it yet; it is not sent any more then. Default false */
  unsent?: boolean;
  /** milliseconds after which no further run is sealed, but for the first `leastRuns`; the newest come first. Default: all are sealed */
  budgetMs?: number;
  leastRuns?: number;
  /** called with about the number of runs that were left for want of time */
  left?: (runs: number) => void;
  /** called for each file with runs for a destination that is left, since its process may still write it */
  held?: (held: HeldRuns) => void;
}

const SILENT_MS = 5000;
/** Milliseconds after which a file is claimed anew: a claim that is not renewed counts as abandoned. */
const RENEW_MS = 10_000;

/**
 * Turns what dead processes have left in a store's spool into sealed runs. Safe to run in many processes at once and
 * to kill at any moment: a file goes away only when its runs are on the disk. Throws when the store cannot be
 * written, or when one of its envelopes is damaged; the file stays then.
 */
export function sealSpool(storeFolder: string, options: SealOptions = {}): SealedRun[] {
  const layout = storeLayout(storeFolder);
  sweepUnfinished(layout.runs);
  const sealed = new Map<string, SealedRun>();
  const failures: unknown[] = [];
  const { held, budgetMs = Infinity, leastRuns = 1 } = options;
  const until = performance.now() + budgetMs;
  const isOver = (): boolean => sealed.size >= leastRuns && performance.now() > until;
  const rule = {
    olderThanMs: options.onlyClosedOrOlderThanMs ?? SILENT_MS,
    instance: options.instance,
    launch: options.launch,
    held: held && reportHeldRuns(held),
    wanted: ({ targets }: Opening, stem: string) => {
      const cursor = readCursor(layout, stem);
      return options.unsent === true || (belongsHere(targets, cursor) && !cursor.sealed);
    },
  };
  const rest = { runs: 0, bytes: 0 };
  const read = { runs: 0, bytes: 0 };
  const claims = claimFiles(layout, rule);
  // a run stays in the file that it started in
  if (budgetMs < Infinity) claims.sort((a, b) => b.since - a.since);
  for (const claim of claims) {
    try {
      const size = statSync(claim.path).size;
      if (isOver()) {
        rest.bytes += size;
        claim.release();
        continue;
      }
      const { runs, left, targets } = sealFile(layout, claim, { sealed, isOver, newestFirst: budgetMs < Infinity });
      read.runs += runs;
      read.bytes += size;
      rest.runs += left;
      if (left === 0) finish(layout, claim, targets, options);
      else claim.release();
    } catch (error) {
      failures.push(error);
      claim.release();
    }
  }
  // to count the runs of the other files would mean to read them
  const left = rest.runs + Math.round((rest.bytes * read.runs) / Math.max(1, read.bytes));
  if (left > 0) options.left?.(left);
  if (failures.length > 0)
    throw failures.length === 1 ? failures[0] : new AggregateError(failures, "several spool files could not be sealed");
  return [...sealed.values()];
}

/** Seals the runs of a file until the time is over, the newest first. `runs`: how many it has; `left`: how many of them were left. */
function sealFile(
  layout: StoreLayout,
  claim: Claim,
  { sealed, isOver, newestFirst }: { sealed: Map<string, SealedRun>; isOver(): boolean; newestFirst: boolean },
): { runs: number; left: number; targets: readonly Target[] } {
  const { path } = claim;
  let renewed = performance.now();
  // a slow writer may append after the claim, until it notices that its file was renamed
  for (let size = -1, count = 0, targets: readonly Target[] = []; ;) {
    if (size === statSync(path).size) return { runs: count, left: 0, targets };
    const file = readFileSync(path);
    size = file.length;
    const spool = readSpool(file);
    targets = spool.targets;
    count = spool.runs.size;
    const runs = [...spool.runs.values()];
    if (newestFirst) runs.reverse();
    for (const [at, run] of runs.entries()) {
      const now = performance.now();
      if (isOver()) return { runs: count, left: count - at, targets };
      if (now > renewed + RENEW_MS) {
        claim.touch();
        renewed = now;
      }
      const done = sealRun(layout, spool, run);
      if (done !== null) sealed.set(done.run, done);
    }
  }
}

/** Removes a file whose runs are sealed; one that is also to be forwarded stays until it is. */
function finish(
  layout: StoreLayout,
  { path, stem, release }: Claim,
  targets: readonly Target[],
  { unsent }: SealOptions,
): void {
  if (existsSync(layout.runs)) syncFolder(layout.runs);
  const cursor = readCursor(layout, stem);
  const left = waitingTargets(targets, cursor, statSync(path).size).filter((each) => !isCollector(each));
  if (left.length > 0 && unsent !== true) {
    writeCursor(layout, stem, { ...cursor, sealed: true });
    release();
  } else {
    rmSync(path);
    removeCursor(layout, stem);
  }
}
