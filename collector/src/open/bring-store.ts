import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { errorCode } from "@reenact/envelope";
import type { CollectorConfig } from "../config-schema.ts";
import type { Log } from "../log.ts";
import { classPrefix } from "../retain/retention-times.ts";
import { waitBeforeRetry } from "../seal/retrying.ts";
import { UNSEALED_PREFIX } from "../seal/set-aside.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { type OpenedStore, openStore } from "../store/open-store.ts";
import { probeStore } from "../store/probe-store.ts";
import { StoreError } from "../store/store-error.ts";
import type { StoreFeatures } from "../store/store-features.ts";
import { ownStore, type StoreOwner } from "../store/store-owner.ts";

/** A store that was tried, and that this collector owns. */
export interface OwnedStore extends Pick<OpenedStore, "expiry"> {
  readonly epoch: number;
  readonly features: StoreFeatures;
}

/** The store, opened in the background while the collector already receives. */
export interface StorePart {
  /** Every call throws `UNAVAILABLE` until the store is there. */
  readonly store: ObjectStore;
  /** Rejects with what refuses the start (`UNSAFE`, `FOREIGN_LIFECYCLE`, `TAKEN`, `DENIED`, …), or once it is closed. */
  readonly here: Promise<OwnedStore>;
  /** Throws `UNAVAILABLE` until the store is there. */
  owned(): OwnedStore;
  /** `phase` may be shown to anybody, `why` (the last error) only to holders of a key; null: the store is there and answers. */
  missing(): { readonly phase: StorePhase; readonly why: string | null } | null;
  close(): Promise<void>;
}

/** `away`: it does not answer, or not any more, and is tried again; `asking`: its last owner is asked whether it still runs. */
export type StorePhase = "trying" | "away" | "asking";

interface BringStoreOptions {
  /** id that all collectors which own the store together have; null: this one owns it alone */
  readonly sharedBy: string | null;
  readonly log: Log;
  /** another collector owns the store from now on */
  readonly onLost: (error: StoreError) => void;
  readonly onPhase: (phase: StorePhase) => void;
}

/** Between two attempts, milliseconds, at most. */
const LONGEST_PAUSE = 5_000;

/**
 * Opens and tries the store, reads the bucket's own rules, and makes this collector its owner, in the background: again
 * and again while the store does not answer. The data folder must be locked by now.
 */
export function bringStore(
  config: Pick<CollectorConfig, "data" | "store" | "s3">,
  { sharedBy, log, onLost, onPhase }: BringStoreOptions,
): StorePart {
  const ending = new AbortController();
  const { signal } = ending;
  let phase: StorePhase = "trying";
  let why: string | null = null;
  let opened: OpenedStore | null = null;
  let owner: StoreOwner | null = null;
  let owned: OwnedStore | null = null;
  /** why the owned store did not answer when it was last looked at; null: it did */
  let unanswered: string | null = null;
  const enter = (next: StorePhase) => {
    phase = next;
    onPhase(next);
  };

  function onLook(error: unknown): void {
    const before = unanswered;
    unanswered = error === null ? null : error instanceof Error ? error.message : "no answer";
    if (unanswered !== null && before === null) log("error", "store.away", { store: config.store, error });
    if (unanswered === null && before !== null) log("info", "store.answers", { store: config.store });
  }

  async function attempt(): Promise<OwnedStore> {
    opened = await openStore(config.store, config.s3, signal);
    const probe = await probeStore(opened.store);
    const features = await opened.features();
    log("info", "store.probed", { store: opened.place, ...probe, ...features });
    await checkLifecycle(opened, config.s3.acceptForeignLifecycle, log);
    const identity = sharedBy === null ? storeIdentity(config.data) : sharedIdentity(sharedBy);
    owner = await ownStore(opened.store, { ...identity, signal, onLook, onLost, onAsking: () => enter("asking") });
    log("info", "store.owned", { store: opened.place, epoch: owner.epoch });
    return { expiry: opened.expiry, epoch: owner.epoch, features };
  }

  async function bring(): Promise<OwnedStore> {
    for (let tried = 0; ; tried++) {
      try {
        owned = await attempt();
        return owned;
      } catch (error) {
        opened?.close();
        opened = null;
        if (signal.aborted || !mayPass(error)) throw error;
        why = error instanceof Error ? error.message : String(error);
        enter("away");
        log(tried < 3 ? "warn" : "error", "store.away", { store: config.store, tried, error });
        await waitBeforeRetry(tried, LONGEST_PAUSE, signal);
        signal.throwIfAborted();
      }
    }
  }

  const here = bring();
  here.catch(() => {});
  const there = (): ObjectStore => {
    if (owner === null || owned === null) throw new StoreError("UNAVAILABLE", "the store", why ?? "is not there yet");
    return owner.store;
  };
  return {
    here,
    store: {
      put: async (key, body) => there().put(key, body),
      putIfAbsent: async (key, body) => there().putIfAbsent(key, body),
      getRange: async (key, offset, length) => there().getRange(key, offset, length),
      head: async (key) => there().head(key),
      list: async function* (prefix, after) {
        yield* there().list(prefix, after);
      },
      delete: async (key) => there().delete(key),
    },
    owned() {
      there();
      return owned!;
    },
    missing() {
      if (owned === null) return { phase, why };
      return unanswered === null ? null : { phase: "away", why: unanswered };
    },
    async close() {
      ending.abort();
      // requests under way end with their client
      if (owned === null) opened?.close();
      await here.catch(() => {});
      await owner?.release();
      opened?.close();
    },
  };
}

/** A store that does not answer or is full is tried again; one that refuses is not. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof StoreError) || !error.retryable) return false;
  const status = (error.cause as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
  return status === undefined || status >= 500 || [408, 409, 425, 429].includes(status);
}

/** Refuses a bucket with a lifecycle rule that is not ours and removes runs of class `keep`; warns of others. */
async function checkLifecycle({ expiry, place }: OpenedStore, accept: boolean, log: Log): Promise<void> {
  if (expiry === null) return;
  for (const prefix of [classPrefix("keep"), UNSEALED_PREFIX, classPrefix("short"), classPrefix("sample")]) {
    let found: Awaited<ReturnType<typeof expiry.foreign>>;
    try {
      found = await expiry.foreign(prefix);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "DENIED") throw error;
      return log("warn", "store.lifecycle-unread", { store: place, error });
    }
    for (const rule of found) {
      const why = `lifecycle rule ${JSON.stringify(rule.id)} ${rule.does} objects below ${JSON.stringify(rule.prefix)}`;
      if (prefix === classPrefix("keep") && !accept)
        throw new StoreError("FOREIGN_LIFECYCLE", place, `${why}, and with them runs that are to be kept for ever`);
      log("warn", "store.foreign-lifecycle", {
        store: place,
        rule: rule.id,
        does: rule.does,
        prefix: rule.prefix,
        takes: prefix,
      });
    }
  }
}

const sharedIdentity = (id: string) => ({
  id,
  who: `the collectors of topic and group ${id}, at first process ${process.pid} on ${hostname()}`,
  shared: true,
});

/** How this collector names itself to its store: an id that is kept in its data folder, and a description for people. */
function storeIdentity(folder: string): { readonly id: string; readonly who: string } {
  const path = join(folder, "owner");
  const who = `the collector of ${resolve(folder)} on ${hostname()}, process ${process.pid}`;
  try {
    const id = readFileSync(path, "utf8").trim();
    if (/^[0-9a-f-]{36}$/.test(id)) return { id, who };
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const id = randomUUID();
  const file = openSync(`${path}.new`, "w", 0o600);
  try {
    writeSync(file, `${id}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
  return { id, who };
}
