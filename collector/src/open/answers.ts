import type { Opening } from "../close-stack.ts";
import type { CollectorConfig } from "../config-schema.ts";
import { metricsOf } from "../metrics/collector-metrics.ts";
import type { Metric } from "../metrics/metrics.ts";
import type { Project } from "../project/project.ts";
import { createApi } from "../query/api.ts";
import type { ApiDeps } from "../query/api-deps.ts";
import { createSessions } from "../query/session/sessions.ts";
import { createEventStreams } from "../query/live/event-stream.ts";
import type { Receiver } from "../receive/receiver.ts";
import { createRunKeeper } from "../retain/run-keeper.ts";
import { STORAGE_PRICES } from "../retain/storage-price.ts";
import { setAsideRuns } from "../seal/set-aside.ts";
import type { PayloadReads } from "../settings/payload-reads.ts";
import { settingsOf } from "../settings/settings-of.ts";
import { version } from "../version.ts";
import type { Access } from "./access.ts";
import { createAdmit } from "./admit.ts";
import type { RunningForward } from "./forwards.ts";
import { missingParts } from "./missing-parts.ts";
import type { Runs } from "./runs.ts";
import type { Storage } from "./storage.ts";

/** What the collector answers to those who ask, beside taking spans. */
export interface Answers {
  readonly api: ReturnType<typeof createApi>;
  metrics(): readonly Metric[];
  /** why nothing can be received; empty: it can */
  closed(): readonly string[];
  /** parts that are not there yet, without which spans can still be received */
  missing(): readonly string[];
  /** From the time when the port is open until it closes. */
  setReady(isReady: boolean): void;
  /** The code of a link that signs one browser in, to read the runs of a tenant. */
  loginCode(tenant: string): string;
  /** Ends the streams of those who watch. */
  endStreams(): void;
}

interface AnswersDeps {
  readonly access: Access;
  readonly storage: Storage;
  readonly runs: Runs;
  readonly forwards: readonly RunningForward[];
  readonly receiver: Receiver;
  readonly payloadReads: PayloadReads;
  /** null: the collector runs over no project */
  readonly project: Project | null;
}

/** API, metrics and health of the opened parts. */
export function openAnswers(config: CollectorConfig, deps: AnswersDeps, { log }: Opening): Answers {
  const { project } = deps;
  const { store, catalog } = deps.storage;
  const { journal } = deps.storage.journal;
  const { assemblers, sealing, reads, open, openChanges, feed } = deps.runs;
  const { short, sample } = config.retention;
  const streams = createEventStreams();
  const sessions = createSessions();

  const receives = config.roles.includes("receive");
  const refusal = config.journal.url === undefined ? "the disk takes nothing" : "the brokers acknowledge nothing";
  let isReady = false;
  const closed = () => [
    ...(isReady ? [] : ["starting or ending"]),
    ...(receives && journal.status().refusing ? [refusal] : []),
  ];
  const missing = () => missingParts(store.missing(), catalog.missing(), !deps.runs.isWhole());
  const unready = () => [...closed(), ...missing()];

  const system: ApiDeps["system"] = () => {
    const { storedBytes, damagedBytes, lostCommits, refusing, freeBytes } = journal.status();
    const { runs, packs, storedBytes: packed, failures } = sealing.counts();
    return {
      version,
      unready: unready(),
      store: { missing: store.missing() },
      catalog: { missing: catalog.missing() },
      journal: { bytes: storedBytes, damagedBytes, lostCommits, refusing: refusing !== null },
      disk: { freeBytes },
      runs: assemblers.counts(),
      sealed: { runs, packs, storedBytes: packed, failures },
    };
  };
  const storeFacts: ApiDeps["storeFacts"] = () => {
    const { expiry, features } = store.owned();
    return {
      place: config.store,
      conditionalWrites: "supported",
      lifecycle: expiry === null ? "unsupported" : !config.s3.lifecycle ? "off" : sealing.lifecycle(),
      ...features,
    };
  };
  const api = createApi({
    catalog: deps.runs.catalog,
    store: store.store,
    reads,
    open,
    changes: openChanges,
    feed,
    streams,
    destinations: deps.forwards,
    system,
    keeper: createRunKeeper({
      sealing,
      journal,
      waiting: assemblers.pendingMarks,
      isShared: deps.storage.journal.driver === "kafka",
    }),
    times: { short, sample },
    unsealed: (tenant) => setAsideRuns(store.store, tenant),
    plan: (tenant, asked) =>
      sealing.sweep.plan(tenant, STORAGE_PRICES[store.owned().expiry ? "s3" : "directory"], asked),
    settings: (tenant) => settingsOf(config, { rules: deps.runs.rules, keys: deps.access.keys, tenant }),
    payloadReads: deps.payloadReads,
    storeFacts,
    projectOf: (tenant) => (tenant === config.tenant ? project : null),
    admit: createAdmit(deps.access.keys, deps.access.allowList, sessions),
    sessions,
    log,
    version,
  });

  const metrics = () => {
    const { sweptRuns, sweepFailures, ...sealed } = sealing.counts();
    return metricsOf({
      version,
      ready: unready().length === 0,
      storeMissing: store.missing() !== null,
      catalogMissing: catalog.missing() !== null,
      rebuilt: catalog.rebuilt(),
      received: deps.receiver.counts(),
      journal: journal.status(),
      runs: assemblers.counts(),
      sealed,
      swept: { runs: sweptRuns, failures: sweepFailures },
      forwards: deps.forwards.map((each) => each.state()),
    });
  };
  return {
    api,
    metrics,
    closed,
    missing,
    loginCode: (tenant) => sessions.link({ key: "login-link", tenant, scopes: new Set(["read"]) }),
    setReady: (now) => void (isReady = now),
    endStreams() {
      streams.close();
      feed.close();
    },
  };
}
