import { randomUUID } from "node:crypto";
import { createAssembler } from "../assemble/assembler.ts";
import type { Assembler, AssemblerDeps } from "../assemble/assembler-port.ts";
import { type Assemblers, createAssemblers } from "../assemble/assemblers.ts";
import { ASSEMBLER } from "../assemble/assembler-cursor.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { catalogAddress } from "../catalog/open-catalog.ts";
import { runsOfTrace } from "../catalog/runs-of-trace.ts";
import { CLOSE_GRACE, type Opening } from "../close-stack.ts";
import type { CollectorConfig } from "../config-schema.ts";
import { JOURNAL_START, type RunningJournal } from "../journal/journal.ts";
import type { OpenedJournal } from "../journal/open-journal.ts";
import { createOpenFacts } from "../query/open-facts.ts";
import { createOpenRuns } from "../query/open-runs.ts";
import { type ReadThreads, startReadThreads } from "../query/thread/read-threads.ts";
import type { OpenChanges, OpenRuns } from "../query/unpacked-runs.ts";
import { createRunFeed, type RunFeed } from "../query/live/run-feed.ts";
import { loadPrices } from "../retain/load-prices.ts";
import { loadRules } from "../retain/load-rules.ts";
import type { RetentionRule } from "../retain/retention-rules.ts";
import type { ModelPrices } from "@reenact/envelope/schema";
import { openSealing, type Sealing } from "../seal/sealing.ts";
import { type FollowedPartitions, followPartitions } from "./follow-partitions.ts";
import type { StartGate } from "./start-gate.ts";
import { sweepCheckpoints } from "./sweep-checkpoints.ts";
import type { Storage } from "./storage.ts";

/** Runs on their way from the journal to the store, and reading them. */
export interface Runs {
  /** null: the journal is read by partition */
  readonly whole: Assembler | null;
  readonly assemblers: Assemblers;
  readonly sealing: Sealing;
  /** the feed is told of its changes */
  readonly catalog: Catalog;
  readonly feed: RunFeed;
  readonly reads: ReadThreads;
  /** runs that are in no pack yet: what is cheap is answered here, the rest on the reading threads */
  readonly open: OpenRuns;
  readonly openChanges: OpenChanges;
  /** null: costs are not known */
  readonly prices: ModelPrices | null;
  readonly rules: readonly RetentionRule[];
  /**
   * Assembles from where an earlier process has stopped, once the catalog says where that is. Resolves when the gate is open;
   * rejects with what refuses the start, if that is known before.
   */
  begin(gate: StartGate): Promise<void>;
  /** sealing works */
  isWhole(): boolean;
  /** runs that are in the journal only */
  left(): number;
}

/** A sweep that takes longer is taken for ended by the other processes; what two of them remove is gone all the same. */
const SWEEP_MS = 600_000;

/** What several processes leave in the store. */
async function sweepShared({ store, catalog }: Storage, opened: OpenedJournal): Promise<void> {
  if (opened.driver !== "kafka") return;
  await opened.journal.sweep();
  await sweepCheckpoints(store.store, catalog.catalog, { id: opened.id, now: Date.now() });
}

/** Puts assembler, sealing and reading together. Throws `CollectorError` for a file of rules or prices that is not as it must be. */
export function openRuns(config: CollectorConfig, storage: Storage, { log, stack, fail }: Opening): Runs {
  const { store } = storage;
  const { journal } = storage.journal;
  const assemblers = createAssemblers();
  const { complete, assertWhole } = storage.catalog;
  const { short, sample, sampleShare, sweepEvery } = config.retention;
  const rules = config.retention.rules === undefined ? [] : loadRules(config.retention.rules);
  const times = { short, sample };
  const { settle, idle, age } = config.assemble;
  const limits = { settleMs: settle, idleMs: idle, ageMs: age };
  const prices = config.prices === undefined ? null : loadPrices(config.prices);
  const feed = createRunFeed({
    changes: (tenant) => facts.changes(tenant),
    rows: (tenant, prefix) => reads.open.rows(tenant, prefix),
  });
  const catalog = feed.watch(storage.catalog.catalog);

  const sweeper = randomUUID();
  let isSweeper = false;
  const assembling = Promise.withResolvers<void>();
  const sealing = openSealing({
    store: store.store,
    catalog,
    here: Promise.all([store.here, complete, assembling.promise]),
    journal,
    limits,
    log,
    sweepEvery: config.roles.includes("retain") ? sweepEvery : 0,
    ...(storage.journal.driver === "kafka" && {
      maySweep: async () => (isSweeper = await catalog.lease("sweep", sweeper, SWEEP_MS)),
      sweepMore: () => sweepShared(storage, storage.journal),
    }),
    shares: assemblers.shares,
    forgetLeft: storage.journal.driver === "kafka",
    folder: config.data,
    policy: { rules, sampleShare, prices },
    times,
    expiry: () => (config.s3.lifecycle ? store.owned().expiry : null),
    pack: config.pack,
  });
  // another process sweeps at its next turn, and not only when the lease is over
  stack.add("sweep", async () => {
    if (isSweeper) await catalog.lease("sweep", sweeper, 0).catch(() => false);
  });
  // behind sealing: what is sealed at the end is committed by whom it belongs to
  let partitions: FollowedPartitions | null = null;
  stack.add("partitions", () => partitions?.leave());
  stack.add("sealing", () => sealing.close());
  const deps: Omit<AssemblerDeps, "journal"> = {
    seal: (job) => sealing.seal(job),
    mark: sealing.mark,
    runsOfTrace: async (tenant, trace) => {
      await complete;
      return runsOfTrace(catalog, tenant, trace);
    },
    limits,
    log,
  };
  const whole =
    storage.journal.driver === "local" ? createAssembler({ ...deps, journal: storage.journal.journal }) : null;
  if (whole !== null) assemblers.add(whole);
  stack.add("assembler", async () => {
    await assemblers.finish(CLOSE_GRACE);
    await partitions?.keep();
    await assemblers.stop();
  });

  const facts = createOpenFacts(assemblers, sealing);
  const reads = startReadThreads(
    {
      catalog: catalogAddress(config),
      journal: journal.address,
      store: config.store,
      s3: config.s3,
      times,
      local: config.local === undefined ? null : { folder: config.local, tenant: config.tenant },
    },
    { facts, mayRead: assertWhole, log },
  );
  stack.add("reads", () => reads.close());

  let isWhole = false;
  const stopped = (event: string) => (error: unknown) => {
    if (stack.isClosing) return;
    log("error", event, { error });
    fail(error instanceof Error ? error : new Error(String(error)));
  };
  function beginWhole(local: RunningJournal): void {
    catalog.cursor(ASSEMBLER).then(
      (place) => {
        whole?.run(local.position(place) ?? JOURNAL_START).catch(stopped("assemble.stopped"));
        assembling.resolve();
      },
      // `sealing.begun` then rejects with the reason
      assembling.reject,
    );
  }

  function beginPartitions({ journal: kafka, address, id }: Extract<OpenedJournal, { driver: "kafka" }>): void {
    assembling.resolve();
    if (!config.roles.includes("assemble")) return;
    sealing.begun.then(
      () => {
        if (stack.isClosing) return;
        partitions = followPartitions({
          kafka,
          address,
          id,
          catalog,
          store: store.store,
          assemblers,
          assemble: (share) => createAssembler({ ...deps, ...share }),
          roll: () => sealing.roll(true),
          keepEvery: config.journal.checkpointEvery,
          log,
        });
      },
      // said where it is waited for
      () => {},
    );
  }

  return {
    whole,
    assemblers,
    sealing,
    catalog,
    feed,
    reads,
    open: { ...createOpenRuns(facts, journal), ...reads.open },
    openChanges: facts,
    prices,
    rules,
    async begin(gate) {
      stack.add("opening", () => storage.catalog.end());
      if (storage.journal.driver === "local") beginWhole(storage.journal.journal);
      else beginPartitions(storage.journal);
      await gate.open(sealing.begun);
      sealing.begun.then(() => (isWhole = true), stopped("start.refused"));
    },
    isWhole: () => isWhole,
    left: () => assemblers.counts().open + assemblers.counts().sealing,
  };
}
