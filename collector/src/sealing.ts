import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { EnvelopeError } from "@reenact/envelope";
import { expiryNow } from "./clock.ts";
import type { Journal, Position } from "./journal/journal.ts";
import type { CloseLimits } from "./assemble/close-policy.ts";
import type { SealJob } from "./assemble/seal-job.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { Log } from "./log.ts";
import { undercutBy } from "./retain/choose-class.ts";
import { createKeeper, type Keeper } from "./retain/keeper.ts";
import type { Statement } from "./retain/said.ts";
import { oneAtATime } from "./retain/one-at-a-time.ts";
import { nativeRules, type RetentionTimes } from "./retain/retention-times.ts";
import { createSweep } from "./retain/sweep.ts";
import { commitRuns } from "./seal/commit-runs.ts";
import { createPackPruner } from "./seal/pack-pruner.ts";
import { openPackIntents } from "./seal/pack-intents.ts";
import { createPacker, type PackItem, type WaitingRun } from "./seal/packer.ts";
import type { SealPolicy } from "./seal/seal-run.ts";
import { retrying } from "./seal/retrying.ts";
import { createSealer } from "./seal/sealer.ts";
import { type SealWorker, startSealWorker } from "./seal/seal-worker.ts";
import { createSetAside } from "./seal/set-aside.ts";
import type { SealedRun } from "./seal/sealed-run.ts";
import { takeLeft } from "./seal/take-left.ts";
import type { NativeExpiry } from "./store/native-expiry.ts";
import type { ObjectStore } from "./store/object-store.ts";
import { StoreError } from "./store/store-error.ts";

/** What the rest of the collector needs of sealing and retention. Jobs and marks that come before it has begun wait. */
export interface Sealing {
  /** Resolves when it works and packs that an earlier process left are in the catalog; rejects with the reason if it never will. */
  readonly begun: Promise<void>;
  /** Resolves when the run is in a pack and in the catalog. */
  seal(job: SealJob): Promise<void>;
  /**
   * Adds marks and removals to a sealed run, and tries again while the store does not answer. True: they are stored, or never
   * can be; false: sealing was closed, or `waits` is set and the run is not sealed yet.
   */
  mark(tenant: string, run: string, marks: readonly Statement[], waits: boolean): Promise<boolean>;
  /** A revision of the run is being sealed and not committed. It would not get a mark that is added to the revision before. */
  isSealing(tenant: string, run: string): boolean;
  readonly keeper: Keeper;
  /** the store expires packs too */
  lifecycle(): "supported" | "unsupported";
  /** A run that is sealed, and is read from here until its pack is written. */
  waiting(tenant: string, run: string): WaitingRun | undefined;
  readonly sweep: ReturnType<typeof createSweep>;
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
  /** Resolves when store, catalog and `cursor` can be used; nothing is read or written before. Default: at once. */
  readonly here?: Promise<unknown>;
  readonly journal: Journal;
  /** The journal up to there is no longer needed once the jobs `done`, and the marks and removals `marked`, are committed. */
  readonly cursor: (done: readonly SealJob[], marked: readonly Statement[]) => Position;
  /** folder of the journal's segments */
  readonly journalFolder: string;
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

const CURSOR_EVERY = 5_000;
const ROLL_EVERY = 1_000;
const CLOSE_LOOK_MS = 20;

/** Sealing and retention, from when store and catalog are there. */
export function openSealing(deps: SealingDeps): Sealing {
  const { store, catalog, journal, cursor, limits, policy, log } = deps;
  const { now = expiryNow, elapsed = () => performance.now() } = deps;
  const ending = new AbortController();
  const packsFolder = join(deps.folder, "packs");
  const intents = openPackIntents(packsFolder);
  const alone = oneAtATime();
  const notes = openPackIntents(join(deps.folder, "superseded"));
  const pruner = createPackPruner({
    store,
    catalog,
    notes,
    alone,
    log,
    ...(deps.graceMs !== undefined && { graceMs: deps.graceMs }),
  });
  let native = false;

  async function finishLeft(key: string): Promise<void> {
    const found = await takeLeft(key, { store, catalog, pruner });
    if (found !== null) log("info", "seal.pack-found", { key, runs: found });
    await intents.done(key);
  }

  for (const rule of policy.rules) {
    const named = undercutBy(rule);
    if (named !== null) log("warn", "retain.undercuts", { rule: rule.name, class: rule.class, named });
  }

  async function begin(): Promise<void> {
    await deps.here;
    const giveUp = (error: unknown) => !(error instanceof StoreError) || !error.retryable;
    const retry = { event: "seal.waits-for-store", log, signal: ending.signal, giveUp };
    for (const key of intents.left()) await retrying(() => finishLeft(key), retry);
    native = await retrying(async () => (await deps.expiry()?.install(nativeRules(deps.times))) ?? false, retry);
    ending.signal.throwIfAborted();
    log("info", "retain.expiry", { by: native ? "sweep and store" : "sweep only" });
    startTimers();
  }

  const jobs = new Map<string, SealJob>();
  const committed = new WeakSet<SealJob>();
  const jobOf = ({ tenant, sealed }: PackItem) => jobs.get(`${tenant}/${sealed.header.run}`);
  let told = "";
  let toldAt = elapsed();
  async function commit(
    runs: readonly SealedRun[],
    done: readonly SealJob[],
    marked: readonly Statement[] = [],
  ): Promise<void> {
    const position = cursor(done, marked);
    await commitRuns(catalog, runs, position);
    for (const job of done) committed.add(job);
    told = `${position.segment}:${position.offset}`;
    toldAt = elapsed();
  }

  const packer = createPacker({
    store,
    intents,
    log,
    elapsed,
    async commit(runs, items, same) {
      const done = items.flatMap((item) => jobOf(item) ?? []);
      const marked = same ? items.flatMap(({ taken }) => taken) : [];
      const later = items.filter(({ hasPrevious }) => hasPrevious);
      if (later.length === 0) return commit(runs, done, marked);
      // nothing is moved to another pack between this look at the rows and their change
      await alone(async () => {
        const rows = await Promise.all(later.map(({ tenant, sealed }) => catalog.get(tenant, sealed.header.run)));
        const superseded = new Set(rows.flatMap((row) => row?.parts.map(({ key }) => key) ?? []));
        await pruner.note(superseded);
        await commit(runs, done, marked);
        pruner.superseded(superseded);
      });
    },
    maxBytes: deps.pack.bytes,
    maxAgeMs: deps.pack.age,
  });
  const worker =
    deps.worker ?? startSealWorker({ journalFolder: deps.journalFolder, spillFolder: packsFolder, policy });
  const setAside = createSetAside({ store, journal, signal: ending.signal, log });
  let failures = 0;
  const sealer = createSealer({
    store,
    catalog,
    worker,
    packer,
    limits,
    log,
    signal: ending.signal,
    setAside: (job, error) => {
      failures++;
      return setAside(job, error);
    },
  });
  const keeper = createKeeper({ store, catalog, policy, times: deps.times, intents, pruner, alone, now });

  async function persist(tenant: string, run: string, marks: readonly Statement[]): Promise<boolean> {
    const giveUp = (error: unknown) =>
      error instanceof EnvelopeError || (error instanceof StoreError && !error.retryable && error.code !== "DENIED");
    try {
      const retry = { event: "retain.waits-for-store", log, signal: ending.signal, giveUp };
      await retrying(() => keeper.say(tenant, run, marks), retry);
      return true;
    } catch (error) {
      if (ending.signal.aborted) return false;
      log("error", "retain.not-marked", { tenant, run, marks: marks.length, error });
      return true;
    }
  }
  const sweep = createSweep({ store, catalog, times: deps.times, alone, now, log });
  const swept = { runs: 0, failures: 0 };

  const every = (ms: number, event: string, work: () => Promise<void>) => {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      work()
        .catch((error: unknown) => log("error", event, { error }))
        .finally(() => (busy = false));
    }, ms);
    return timer;
  };
  const timers: NodeJS.Timeout[] = [];
  function startTimers(): void {
    timers.push(
      every(ROLL_EVERY, "seal.not-pruned", () => pruner.prune()),
      every(ROLL_EVERY, "seal.not-rolled", async () => {
        await packer.roll();
        const position = cursor([], []);
        if (elapsed() - toldAt >= CURSOR_EVERY && told !== `${position.segment}:${position.offset}`)
          await commit([], []);
      }),
    );
    if (deps.sweepEvery > 0) {
      timers.push(
        every(deps.sweepEvery, "retain.sweep-failed", async () => {
          // another collector of the bucket may have written its rules over ours
          await deps.expiry()?.install(nativeRules(deps.times));
          const gone = await sweep.sweep();
          swept.runs += gone.runs;
          swept.failures += gone.failures;
        }),
      );
    }
  }

  let works = false;
  const begun = begin().then(() => void (works = true));
  const ended = new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));
  begun.catch(() => {});

  /** False: it was closed, or can never begin. */
  async function hasBegun(): Promise<boolean> {
    if (!works) await Promise.race([begun.catch(() => ended), ended]);
    return works && !ending.signal.aborted;
  }

  return {
    begun,
    async seal(job) {
      const key = `${job.tenant}/${job.run}`;
      jobs.set(key, job);
      try {
        if (!(await hasBegun())) throw new Error("closed");
        await keeper.quiet(job.tenant, job.run);
        await sealer.seal(job);
        // nothing changes where the revision has them: missing are removals, and all marks where no new span was sealed
        if (job.marks.length > 0 && !(await persist(job.tenant, job.run, job.marks))) throw new Error("closed");
      } finally {
        jobs.delete(key);
      }
    },
    async mark(tenant, run, marks, waits) {
      if (!(await hasBegun())) return false;
      // where the catalog does not answer, the run gets them when it is sealed
      if (waits && (await catalog.get(tenant, run).catch(() => null)) === null) return false;
      return persist(tenant, run, marks);
    },
    isSealing(tenant, run) {
      const job = jobs.get(`${tenant}/${run}`);
      return job !== undefined && !committed.has(job);
    },
    keeper: {
      ...keeper,
      // before it has begun, rows of packs that an earlier process left are still being written
      say: async (...said) => {
        if (!works) throw new StoreError("UNAVAILABLE", "the run", "sealing has not begun yet");
        return keeper.say(...said);
      },
    },
    lifecycle: () => (native ? "supported" : "unsupported"),
    waiting: packer.waiting,
    sweep,
    roll: (all) => packer.roll(all),
    prune: (all) => pruner.prune(all),
    counts() {
      const { runs, packs, storedBytes, waiting } = packer.counts();
      return { runs, packs, storedBytes, waiting, failures, sweptRuns: swept.runs, sweepFailures: swept.failures };
    },
    async close(how) {
      for (const timer of timers) clearInterval(timer);
      let timer: NodeJS.Timeout | undefined;
      const { closeMs = 10_000 } = deps;
      const late = new Promise<void>((resolve) => void (timer = setTimeout(resolve, closeMs)));
      // runs that wait for a store that never answered are in the journal
      if (how !== "abandon" && works) {
        const deadline = performance.now() + closeMs;
        await Promise.race([packer.roll(true), late]);
        // a run on its way to a pack comes after those that are in one
        while (jobs.size > 0 && performance.now() < deadline) {
          await pause(CLOSE_LOOK_MS);
          await Promise.race([packer.roll(true), late]);
        }
      }
      ending.abort();
      const written = packer.close();
      await worker.close();
      await Promise.race([written, late]);
      clearTimeout(timer);
    },
  };
}
