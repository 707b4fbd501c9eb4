import { readFileSync, rmSync, statSync } from "node:fs";
import { belongsHere, readCursor, removeCursor, waitingTargets, writeCursor } from "../spool/cursor.ts";
import { storeLayout } from "../config/store-layout.ts";
import { isCollector, type Target } from "../spool/target.ts";
import { claimFiles, type Opening } from "./claim.ts";
import { type HeldRuns, reportHeldRuns } from "./held-runs.ts";
import { type SealedRun, sealRun } from "./seal-run.ts";
import { readSpool } from "./spooled-run.ts";
import { sweepUnfinished } from "./sweep.ts";

export interface SealOptions {
  /** files that were closed, have been silent this long, or whose process is surely gone are sealed; default 5000 */
  onlyClosedOrOlderThanMs?: number;
  /** only the files of this process, which is known to be dead */
  instance?: string;
  /** also files of dead processes that were started with `REENACT_LAUNCH` set to this */
  launch?: string;
  /** also what is meant for a collector that has not taken it yet; it is not sent any more then. Default false */
  unsent?: boolean;
  /** called for each file with runs for a destination that is left, since its process may still write it */
  held?: (held: HeldRuns) => void;
}

const SILENT_MS = 5000;

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
  const { held } = options;
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
  for (const claim of claimFiles(layout, rule)) {
    const { path, stem } = claim;
    try {
      let targets: readonly Target[] = [];
      // a slow writer may append after the claim, until it notices that its file was renamed
      for (let size = -1; size !== statSync(path).size;) {
        const file = readFileSync(path);
        size = file.length;
        const spool = readSpool(file);
        targets = spool.targets;
        for (const run of spool.runs.values()) {
          const done = sealRun(layout, spool, run);
          if (done !== null) sealed.set(done.run, done);
        }
      }
      // what is also to be forwarded stays until it is
      const cursor = readCursor(layout, stem);
      const left = waitingTargets(targets, cursor, statSync(path).size).filter((each) => !isCollector(each));
      if (left.length > 0 && options.unsent !== true) {
        writeCursor(layout, stem, { ...cursor, sealed: true });
        claim.release();
      } else {
        rmSync(path);
        removeCursor(layout, stem);
      }
    } catch (error) {
      failures.push(error);
      claim.release();
    }
  }
  if (failures.length > 0)
    throw failures.length === 1 ? failures[0] : new AggregateError(failures, "several spool files could not be sealed");
  return [...sealed.values()];
}
