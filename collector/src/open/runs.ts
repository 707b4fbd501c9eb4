import { createAssembler } from "../assemble/assembler.ts";
import type { Assembler } from "../assemble/assembler-port.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { catalogAddress } from "../catalog/open-catalog.ts";
import { runsOfTrace } from "../catalog/runs-of-trace.ts";
import { CLOSE_GRACE, type Opening } from "../close-stack.ts";
import type { CollectorConfig } from "../config-schema.ts";
import { JOURNAL_START } from "../journal/journal.ts";
import { createOpenFacts } from "../query/open-facts.ts";
import { createOpenRuns } from "../query/open-runs.ts";
import { type ReadThreads, startReadThreads } from "../query/thread/read-threads.ts";
import type { OpenChanges, OpenRuns } from "../query/unpacked-runs.ts";
import { createRunFeed, type RunFeed } from "../query/live/run-feed.ts";
import { loadPrices } from "../retain/load-prices.ts";
import { loadRules } from "../retain/load-rules.ts";
import type { ModelPrices } from "../retain/run-cost.ts";
import { ASSEMBLER } from "../seal/commit-runs.ts";
import { openSealing, type Sealing } from "../seal/sealing.ts";
import type { StartGate } from "./start-gate.ts";
import type { Storage } from "./storage.ts";

/** Runs on their way from the journal to the store, and reading them. */
export interface Runs {
  readonly assembler: Assembler;
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

/** Puts assembler, sealing and reading together. Throws `CollectorError` for a file of rules or prices that is not as it must be. */
export function openRuns(config: CollectorConfig, storage: Storage, { log, stack, fail }: Opening): Runs {
  const { journal, store } = storage;
  const { complete, assertWhole } = storage.catalog;
  const { short, sample, sampleShare, rules, sweepEvery } = config.retention;
  const times = { short, sample };
  const { settle, idle, age } = config.assemble;
  const limits = { settleMs: settle, idleMs: idle, ageMs: age };
  const prices = config.prices === undefined ? null : loadPrices(config.prices);
  const feed = createRunFeed({
    changes: (tenant) => facts.changes(tenant),
    rows: (tenant, prefix) => reads.open.rows(tenant, prefix),
  });
  const catalog = feed.watch(storage.catalog.catalog);

  const assembling = Promise.withResolvers<void>();
  const sealing = openSealing({
    store: store.store,
    catalog,
    here: Promise.all([store.here, complete, assembling.promise]),
    journal,
    limits,
    log,
    sweepEvery,
    cursor: (done, marked) => assembler.cursor(done, marked),
    folder: config.data,
    policy: { rules: rules === undefined ? [] : loadRules(rules), sampleShare, prices },
    times,
    expiry: () => (config.s3.lifecycle ? store.owned().expiry : null),
    pack: config.pack,
  });
  stack.add("sealing", () => sealing.close());
  const assembler = createAssembler({
    journal,
    seal: (job) => sealing.seal(job),
    mark: sealing.mark,
    runsOfTrace: async (tenant, trace) => {
      await complete;
      return runsOfTrace(catalog, tenant, trace);
    },
    limits,
    log,
  });
  stack.add("assembler", async () => {
    await assembler.finish(CLOSE_GRACE);
    await assembler.stop();
  });

  const facts = createOpenFacts(assembler, sealing);
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
  return {
    assembler,
    sealing,
    catalog,
    feed,
    reads,
    open: { ...createOpenRuns(facts, journal), ...reads.open },
    openChanges: facts,
    prices,
    async begin(gate) {
      stack.add("opening", () => storage.catalog.end());
      catalog.cursor(ASSEMBLER).then(
        (place) => {
          assembler.run(journal.position(place) ?? JOURNAL_START).catch(stopped("assemble.stopped"));
          assembling.resolve();
        },
        // `sealing.begun` then rejects with the reason
        assembling.reject,
      );
      await gate.open(sealing.begun);
      sealing.begun.then(() => (isWhole = true), stopped("start.refused"));
    },
    isWhole: () => isWhole,
    left: () => assembler.counts().open + assembler.counts().sealing,
  };
}
