import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createAdmit } from "./admit.ts";
import { bringCatalog } from "./bring-catalog.ts";
import { bringStore } from "./bring-store.ts";
import { createAssembler } from "./assemble/assembler.ts";
import { CloseStack } from "./close-stack.ts";
import { CollectorError } from "./collector-error.ts";
import { metricsOf } from "./collector-metrics.ts";
import type { CollectorConfig } from "./config-schema.ts";
import { readPosition } from "./forward/journal-source.ts";
import { startForwards } from "./forwards.ts";
import { createFront } from "./front.ts";
import { JOURNAL_START } from "./journal/journal.ts";
import { createLocalJournal } from "./journal/local-journal.ts";
import { createLog, type Log } from "./log.ts";
import { loadPrices } from "./load-prices.ts";
import { openGrpc } from "./open-grpc.ts";
import { createOpenFacts } from "./open-facts.ts";
import { createOpenRuns } from "./open-runs.ts";
import { prepareFolder } from "./prepare-folder.ts";
import { createRunKeeper } from "./run-keeper.ts";
import { missingParts } from "./missing-parts.ts";
import { openPort } from "./open-port.ts";
import { createEventStreams } from "./query/live/event-stream.ts";
import { startReadThreads } from "./query/thread/read-threads.ts";
import { createRunFeed } from "./query/live/run-feed.ts";
import { createApi } from "./query/api.ts";
import { readRunSpans } from "./query/run-reader.ts";
import { assertSafeBind, createAllowList, isLoopback } from "./receive/allow-list.ts";
import { openDoor } from "./receive/keys.ts";
import { watchKeys } from "./receive/watch-keys.ts";
import { createMetricsDoor } from "./metrics-door.ts";
import { createReceiver, MEMORY } from "./receive/receiver.ts";
import { startRelease } from "./release-journal.ts";
import { ASSEMBLER } from "./seal/commit-runs.ts";
import { setAsideRuns } from "./seal/set-aside.ts";
import { openSealing } from "./sealing.ts";
import { loadRules } from "./retain/load-rules.ts";
import { STORAGE_PRICES } from "./retain/storage-price.ts";
import { createStartGate } from "./start-gate.ts";
import { version } from "./version.ts";

/** Where a running collector is found. */
export interface CollectorAddress {
  /** of the root, without a slash at its end */
  readonly http: string;
  /** null: not offered */
  readonly grpc: string | null;
  readonly store: string;
  readonly data: string;
  readonly forwards: readonly { readonly name: string; readonly url: string }[];
}

export interface Collector {
  /** Resolves when it takes spans; rejects with what keeps it from starting, and leaves nothing open then. */
  readonly ready: Promise<CollectorAddress>;
  /** Resolves when a part has died without which nothing can be kept; close it then. */
  readonly failed: Promise<Error>;
  /** Takes no more, answers what is under way, seals what has ended, writes it, and ends. Open runs stay in the journal. */
  close(): Promise<void>;
  /** Runs that are in the journal only; once it is closed they wait there for the next one over this folder. */
  left(): number;
  /** Reads the file with the keys again, now; it is looked at each second anyway. */
  reload(): void;
}

/** Answers that are due are waited for so long, milliseconds. */
const GRACE = 10_000;

/** A whole collector in this process. */
export function createCollector(config: CollectorConfig, options: { log?: Log } = {}): Collector {
  const log = options.log ?? createLog({ least: config.log });
  const stack = new CloseStack(log);
  const failure = Promise.withResolvers<Error>();
  let left = () => 0;
  let reload = () => {};
  const events = {
    fail: failure.resolve,
    counting: (counts: () => number) => void (left = counts),
    reloading: (again: () => void) => void (reload = again),
  };
  const ready = start(config, log, stack, events).catch(async (error: unknown) => {
    await stack.close();
    throw error;
  });
  // a caller that closes without waiting does not need the reason
  ready.catch(() => {});
  return {
    ready,
    failed: failure.promise,
    async close() {
      await ready.catch(() => {});
      await stack.close();
    },
    left: () => left(),
    reload: () => reload(),
  };
}

interface Events {
  readonly fail: (error: Error) => void;
  readonly counting: (left: () => number) => void;
  readonly reloading: (reload: () => void) => void;
}

async function start(
  config: CollectorConfig,
  log: Log,
  stack: CloseStack,
  { fail, counting, reloading }: Events,
): Promise<CollectorAddress> {
  const watched = config.keys === undefined ? null : watchKeys(config.keys, log);
  if (watched) {
    reloading(() => watched.reload());
    stack.add("keys", () => watched.close());
  }
  const keys = watched ?? openDoor(config.tenant);
  const { host, port, hosts, origins } = config.listen;
  assertSafeBind(host, keys.required);
  if (keys.required && !config.listen.tls && !isLoopback(host)) log("warn", "listen.keys-in-clear", { host, port });
  const allowList = createAllowList({ host, hosts, origins, keysRequired: keys.required });
  prepareFolder(config.data);

  const journalFolder = join(config.data, "journal");
  const journal = await createLocalJournal({
    folder: journalFolder,
    minFreeBytes: config.limits.freeDiskBytes,
    log,
    onDead: fail,
  });
  stack.add("journal", () => journal.close());
  const gate = createStartGate();
  // after the journal: its lock makes sure that one process uses this folder, and with it the owner id
  const store = bringStore(config, { log, onLost: fail, onPhase: gate.store });
  stack.add("store", () => store.close());
  const feed = createRunFeed({
    changes: (tenant) => facts.changes(tenant),
    rows: (tenant, prefix) => open.rows(tenant, prefix),
  });
  const { catalog, ...catalogPart } = bringCatalog({
    file: join(config.data, "catalog.sqlite"),
    store: store.store,
    storeHere: store.here,
    watch: feed.watch,
    onPhase: gate.catalog,
    log,
  });
  stack.add("catalog", () => catalogPart.close());

  const limits = { settleMs: config.assemble.settle, idleMs: config.assemble.idle, ageMs: config.assemble.age };
  const { short, sample, sampleShare, rules, sweepEvery } = config.retention;
  const modelPrices = config.prices === undefined ? null : loadPrices(config.prices);
  const assembling = Promise.withResolvers<void>();
  const sealing = openSealing({
    store: store.store,
    catalog,
    here: Promise.all([store.here, catalogPart.complete, assembling.promise]),
    journal,
    limits,
    log,
    sweepEvery,
    cursor: (done, marked) => assembler.cursor(done, marked),
    journalFolder,
    folder: config.data,
    policy: {
      rules: rules === undefined ? [] : loadRules(rules),
      sampleShare,
      prices: modelPrices,
    },
    times: { short, sample },
    expiry: () => (config.s3.lifecycle ? store.owned().expiry : null),
    pack: config.pack,
  });
  stack.add("sealing", () => sealing.close());
  const assembler = createAssembler({
    journal,
    seal: (job) => sealing.seal(job),
    mark: sealing.mark,
    runsOfTrace: async (tenant, trace) => {
      await catalogPart.complete;
      const filter = { is: "one-of", field: "trace", values: [trace] } as const;
      const { rows } = await catalog.find({ tenant, filter }, { limit: 100 });
      return rows.map(({ run }) => run).toReversed();
    },
    limits,
    log,
  });
  counting(() => assembler.counts().open + assembler.counts().sealing);
  stack.add("assembler", async () => {
    await assembler.finish(GRACE);
    await assembler.stop();
  });

  const read = (row: Parameters<typeof readRunSpans>[1]) => readRunSpans(store.store, row);
  const forwards = await startForwards(config.forward, {
    catalog,
    complete: catalogPart.complete,
    journal,
    read,
    prices: modelPrices,
    log,
    folder: config.data,
    env: process.env,
  });
  for (const each of forwards) stack.add(`forward ${each.state().name}`, () => each.close());
  const held = () =>
    forwards.filter(({ holdsJournal }) => holdsJournal).map((each) => readPosition(each.state().cursor));
  const release = startRelease(journal, () => [assembler.cursor(), ...held()], log);
  stack.add("release", () => release.close());

  stack.add("opening", () => catalogPart.end());
  const stopped = (event: string) => (error: unknown) => {
    if (stack.isClosing) return;
    log("error", event, { error });
    fail(error instanceof Error ? error : new Error(String(error)));
  };
  catalog.cursor(ASSEMBLER).then(
    (place) => {
      assembler.run(readPosition(place) ?? JOURNAL_START).catch(stopped("assemble.stopped"));
      assembling.resolve();
    },
    // `sealing.begun` then rejects with the reason
    assembling.reject,
  );
  // the port stays closed for a short while, so that an error that refuses the start comes first
  await gate.open(sealing.begun);
  let isWhole = false;
  sealing.begun.then(() => (isWhole = true), stopped("start.refused"));

  const receiver = createReceiver(
    {
      bodyBytes: config.limits.bodyBytes,
      pendingBytes: config.limits.pendingBytes,
      folder: join(config.data, "incoming"),
      minFreeBytes: config.limits.freeDiskBytes,
      version,
    },
    { journal, keys, allowList, log },
  );
  stack.add("receiver", () => receiver.close());
  let isReady = false;
  /** why nothing can be received */
  const closed = () => [
    ...(isReady ? [] : ["starting or ending"]),
    ...(journal.status().refusing ? ["the disk takes nothing"] : []),
  ];
  const missing = () => missingParts(store.missing(), catalogPart.missing(), !isWhole);
  const unready = () => [...closed(), ...missing()];
  const facts = createOpenFacts(assembler, sealing);
  const reads = startReadThreads(
    {
      catalog: join(config.data, "catalog.sqlite"),
      journal: journalFolder,
      store: config.store,
      s3: config.s3,
      times: { short, sample },
    },
    { facts, mayRead: catalogPart.assertWhole, log },
  );
  stack.add("reads", () => reads.close());
  const open = { ...createOpenRuns(facts, journal), ...reads.open };
  const streams = createEventStreams();
  const api = createApi({
    catalog,
    store: store.store,
    reads,
    open,
    changes: facts,
    feed,
    streams,
    destinations: forwards,
    system: () => {
      const { storedBytes, segments, damagedBytes, lostCommits, refusing, freeBytes } = journal.status();
      const { runs, packs, storedBytes: packed, failures } = sealing.counts();
      return {
        version,
        unready: unready(),
        store: { missing: store.missing() },
        catalog: { missing: catalogPart.missing() },
        journal: { bytes: storedBytes, segments, damagedBytes, lostCommits, refusing: refusing !== null },
        disk: { freeBytes },
        runs: assembler.counts(),
        sealed: { runs, packs, storedBytes: packed, failures },
      };
    },
    keeper: createRunKeeper(sealing, journal, assembler.said),
    times: { short, sample },
    unsealed: (tenant) => setAsideRuns(store.store, tenant),
    plan: (tenant) => sealing.sweep.plan(tenant, STORAGE_PRICES[store.owned().expiry ? "s3" : "directory"]),
    storeFacts: () => {
      const { expiry, features } = store.owned();
      return {
        place: config.store,
        conditionalWrites: "supported",
        lifecycle: expiry === null ? "unsupported" : !config.s3.lifecycle ? "off" : sealing.lifecycle(),
        ...features,
      };
    },
    admit: createAdmit(keys, allowList),
    log,
    version,
  });
  const metrics = () => {
    const { sweptRuns, sweepFailures, ...sealed } = sealing.counts();
    return metricsOf({
      version,
      ready: unready().length === 0,
      storeMissing: store.missing() !== null,
      catalogMissing: catalogPart.missing(),
      received: receiver.counts(),
      journal: journal.status(),
      runs: assembler.counts(),
      sealed,
      swept: { runs: sweptRuns, failures: sweepFailures },
      forwards: forwards.map((each) => each.state()),
    });
  };
  const front = createFront({
    receive: receiver.handle,
    api,
    refuse: allowList,
    closed,
    missing,
    metrics,
    refuseMetrics: createMetricsDoor(host, keys),
  });
  const tls = config.listen.tls && { cert: pem(config.listen.tls.cert), key: pem(config.listen.tls.key) };
  const listening = await openPort({ host, port, tls }, front);
  stack.add("server", () => {
    isReady = false;
    receiver.drain();
    streams.close();
    feed.close();
    return listening.close(GRACE);
  });
  const { grpcPort } = config.listen;
  const bodyBytes = Math.min(config.limits.bodyBytes, MEMORY);
  const grpc =
    grpcPort === undefined
      ? null
      : await openGrpc({ host, port: grpcPort, tls, bodyBytes, folder: join(config.data, "incoming") }, receiver);
  if (grpc) stack.add("grpc", () => grpc.close(GRACE));
  isReady = true;
  return {
    http: listening.url,
    grpc: grpc?.url ?? null,
    store: config.store,
    data: config.data,
    forwards: config.forward.map(({ name, url }) => ({ name, url })),
  };
}

function pem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CollectorError("BAD_CONFIG", `listen.tls: ${path}: ${why}`, "name a readable PEM file", { cause });
  }
}
