import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { CloseLimits } from "../assemble/close-policy.ts";
import type { JournalShare, SealJob } from "../assemble/seal-job.ts";
import type { Catalog, Fence } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import { expiryNow } from "../clock.ts";
import type { RunningJournal } from "../journal/journal.ts";
import type { Log } from "../log.ts";
import { undercutBy } from "../retain/choose-class.ts";
import { createKeeper, type Keeper } from "../retain/keeper.ts";
import { oneAtATime } from "../retain/one-at-a-time.ts";
import { nativeRules, type RetentionTimes } from "../retain/retention-times.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import { createSweep, type Sweep } from "../retain/sweep.ts";
import type { NativeExpiry } from "../store/native-expiry.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { catchUp, noteAlive } from "./catch-up.ts";
import { createRunCommits } from "./commit-runs.ts";
import { isOfRun } from "./is-of-run.ts";
import { openPackIntents } from "./pack-intents.ts";
import { createPackPruner } from "./pack-pruner.ts";
import { createPacker, type Packer, type WaitingRun } from "./packer.ts";
import { createPersistMarks } from "./persist-marks.ts";
import { createRestoreRow } from "./restore-row.ts";
import { retrying } from "./retrying.ts";
import type { SealPolicy } from "./seal-run.ts";
import { type SealWorker, startSealWorker } from "./seal-worker.ts";
import { createSealer, type Sealer } from "./sealer.ts";
import { createSetAside } from "./set-aside.ts";
import { takeLeft } from "./take-left.ts";
import { startUpkeep, type Upkeep } from "./upkeep.ts";

/** What the rest of the collector needs of sealing and retention. Jobs and marks that come before it has begun wait. */
export interface Sealing {
  /** Resolves when it works and packs that an earlier process left are in the catalog; rejects with the reason if it never will. */
  readonly begun: Promise<void>;
  /** Resolves when the run is in a pack and in the catalog. */
  seal(job: SealJob): Promise<void>;
  /**
   * Adds marks and removals to a sealed run, and tries again while the store does not answer. True: they are stored, or never
   * can be; false: sealing was closed, another process owns what `fence` stands for, or `waits` is set and the run is not sealed yet.
   */
  mark(
    tenant: string,
    run: string,
    marks: readonly MarkChange[],
    of: { readonly waits: boolean; readonly fence: Fence | null },
  ): Promise<boolean>;
  /** A revision of the run is being sealed and not committed. It would not get a mark that is added to the revision before. */
  isSealing(tenant: string, run: string): boolean;
  readonly keeper: Keeper;
  /** the store expires packs too */
  lifecycle(): "supported" | "unsupported";
  /** A run that is sealed, and is read from here until its pack is written. */
  waiting(tenant: string, run: string): WaitingRun | undefined;
  readonly sweep: Sweep;
  counts(): {
    readonly runs: number;
    readonly packs: number;
    readonly storedBytes: number;
    /** runs that `waiting` finds */
    readonly waiting: number;
    readonly failures: number;
    readonly sweptRuns: number;
    readonly sweepFailures: number;
  };
  /** Writes the packs that are being filled and are due, now. */
  roll(all?: boolean): Promise<void>;
  /** Removes what newer revisions have taken the place of; `all`: without waiting for those that may read it. */
  prune(all?: boolean): Promise<void>;
  /**
   * What is handed over is sealed, and packs that are being filled are written, as far as that goes in `closeMs`; the rest is
   * still in the journal.
   * `abandon`: no pack is begun, as in a crash. A pack that is being written is waited for, that long too: the next
   * collector must not find its note while it is still being written.
   */
  close(how?: "abandon"): Promise<void>;
}

export interface SealingDeps {
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  /** Resolves when store, catalog and cursors can be used; nothing is read or written before. Default: at once. */
  readonly here?: Promise<unknown>;
  readonly journal: Pick<RunningJournal, "bytes" | "address">;
  /** what is being read of the journal; their cursors are saved */
  readonly shares: () => readonly JournalShare[];
  /**
   * Packs that an earlier process was writing are only forgotten: in a journal that others read too, its runs are theirs, and they
   * seal them again. Default: their runs are entered into the catalog.
   */
  readonly forgetLeft?: boolean;
  /** folder for the notes of packs under way */
  readonly folder: string;
  readonly policy: SealPolicy;
  readonly limits: CloseLimits;
  readonly times: RetentionTimes;
  /** lets the store expire packs too, for the time when no collector runs; null: the store cannot, or the settings forbid it */
  readonly expiry: () => NativeExpiry | null;
  readonly pack: { readonly bytes: number; readonly age: number };
  /** milliseconds; 0: never by itself */
  readonly sweepEvery: number;
  /** False: another process sweeps. Default: this one does. */
  readonly maySweep?: () => Promise<boolean>;
  /** Removes what else has expired, after each sweep. */
  readonly sweepMore?: () => Promise<unknown>;
  readonly closeMs?: number;
  /** how long a superseded copy stays for those that read it; default 60,000 */
  readonly graceMs?: number;
  readonly log: Log;
  /** what expires is judged by it, milliseconds since the epoch */
  readonly now?: () => number;
  /** milliseconds that pass whatever is done to the clock */
  readonly elapsed?: () => number;
  /** for tests: seals elsewhere */
  readonly worker?: SealWorker;
}

const CLOSE_LOOK_MS = 20;

/** Connects the parts of sealing and retention. They work from when store and catalog are there. */
export function openSealing(deps: SealingDeps): Sealing {
  const { store, catalog, journal, limits, policy, times, log } = deps;
  const { now = expiryNow, elapsed = () => performance.now(), closeMs = 10_000 } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  const packsFolder = join(deps.folder, "packs");
  const intents = openPackIntents(packsFolder);
  const notes = openPackIntents(join(deps.folder, "superseded"));
  const alone = oneAtATime();
  const graceMs = deps.graceMs === undefined ? {} : { graceMs: deps.graceMs };
  const pruner = createPackPruner({ store, catalog, notes, alone, log, ...graceMs });
  const restoreRow = createRestoreRow({ store, catalog, times, now, log });
  const keeper = createKeeper({ store, catalog, policy, times, intents, pruner, alone, now, restoreRow });
  const persistMarks = createPersistMarks(keeper, { signal, log });

  // a run goes through these from the last to the first
  const commits = createRunCommits({ store, catalog, shares: deps.shares, pruner, alone, restoreRow, elapsed });
  const packer = createPacker({
    store,
    intents,
    commit: commits.pack,
    maxBytes: deps.pack.bytes,
    maxAgeMs: deps.pack.age,
    elapsed,
    log,
  });
  const worker = deps.worker ?? startSealWorker({ journal: journal.address, spillFolder: packsFolder, policy });
  const sealer = createSealer({
    hasBegun,
    store,
    catalog,
    worker,
    packer,
    commits,
    keeper,
    persistMarks,
    restoreRow,
    setAside: createSetAside({ store, journal, signal, log }),
    limits,
    signal,
    log,
  });

  const sweep = createSweep({ store, catalog, pruner, times, alone, now, log });
  let upkeep: Upkeep | null = null;
  let native = false;
  warnOfUndercuts(policy, log);
  const begun = begin();
  begun.catch(() => {});
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

  async function begin(): Promise<void> {
    await deps.here;
    const giveUp = (error: unknown) =>
      !(error instanceof StoreError && error.retryable) &&
      !(error instanceof CatalogError && error.code === "UNUSABLE");
    const retry = { event: "seal.waits-for-store", log, signal, giveUp };
    for (const key of intents.left()) await retrying(() => finishLeft(key), retry);
    await retrying(() => catchUp({ store, catalog, times, signal, now, log }), retry);
    await retrying(() => noteAlive({ catalog, now }), retry);
    native = await retrying(async () => (await deps.expiry()?.install(nativeRules(times))) ?? false, retry);
    signal.throwIfAborted();
    log("info", "retain.expiry", { by: native ? "sweep and store" : "sweep only" });
    upkeep = startUpkeep({
      packer,
      pruner,
      commits,
      sweep,
      noteAlive: () => noteAlive({ catalog, now }),
      expiry: deps.expiry,
      times,
      sweepEvery: deps.sweepEvery,
      maySweep: deps.maySweep ?? (() => Promise.resolve(true)),
      sweepMore: deps.sweepMore ?? (() => Promise.resolve()),
      log,
    });
  }

  async function finishLeft(key: string): Promise<void> {
    let found: number | null = null;
    try {
      if (deps.forgetLeft !== true) found = await takeLeft(key, { store, catalog, pruner });
    } catch (error) {
      const isGone = error instanceof StoreError && error.code === "NO_OBJECT";
      if (!isGone && !isOfRun(error)) throw error;
      // the journal has its runs: they are sealed again, without the one that is the cause
      log("error", "seal.pack-refused", { key, error });
    }
    if (found !== null) log("info", "seal.pack-found", { key, runs: found });
    await intents.done(key);
  }

  /** False: it was closed, or can never begin. */
  async function hasBegun(): Promise<boolean> {
    if (upkeep === null) await Promise.race([begun.catch(() => ended), ended]);
    return upkeep !== null && !signal.aborted;
  }

  return {
    begun,
    seal: sealer.seal,
    isSealing: sealer.isSealing,
    async mark(tenant, run, marks, { waits, fence }) {
      if (!(await hasBegun())) return false;
      // where the catalog does not answer, the run gets them when it is sealed
      if (waits && (await catalog.get(tenant, run).catch(() => null)) === null) return false;
      return persistMarks(tenant, run, marks, fence);
    },
    keeper: {
      ...keeper,
      // before it has begun, rows of packs that an earlier process left are still being written
      mark: async (...args) => {
        if (upkeep === null) throw new StoreError("UNAVAILABLE", "the run", "sealing has not begun yet");
        return keeper.mark(...args);
      },
    },
    lifecycle: () => (native ? "supported" : "unsupported"),
    waiting: packer.waiting,
    sweep,
    roll: (all) => packer.roll(all),
    prune: (all) => pruner.prune(all),
    counts() {
      const { runs, packs, storedBytes, waiting } = packer.counts();
      const swept = upkeep?.swept() ?? { runs: 0, failures: 0 };
      const failures = sealer.failures();
      return { runs, packs, storedBytes, waiting, failures, sweptRuns: swept.runs, sweepFailures: swept.failures };
    },
    async close(how) {
      upkeep?.stop();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => void (timer = setTimeout(resolve, closeMs)));
      // runs that wait for a store that never answered are in the journal
      if (how !== "abandon" && upkeep !== null) await drain(packer, sealer, late, closeMs);
      ending.abort();
      const written = packer.close();
      await worker.close();
      await Promise.race([written, late]);
      clearTimeout(timer);
    },
  };
}

/** Seals and packs what was handed over, as far as that goes until `late` resolves. */
async function drain(packer: Packer, sealer: Sealer, late: Promise<void>, ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  await Promise.race([packer.roll(true), late]);
  // a run on its way to a pack comes after those that are in one
  while (sealer.jobs() > 0 && performance.now() < deadline) {
    await pause(CLOSE_LOOK_MS);
    await Promise.race([packer.roll(true), late]);
  }
}

function warnOfUndercuts({ rules }: SealPolicy, log: Log): void {
  for (const rule of rules) {
    const named = undercutBy(rule);
    if (named !== null) log("warn", "retain.undercuts", { rule: rule.name, class: rule.class, named });
  }
}
