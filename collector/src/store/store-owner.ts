import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ObjectStore } from "./object-store.ts";
import { StoreError } from "./store-error.ts";

/*
 * One collector per store. Below `v1/owners/`:
 *   <epoch>                 put if absent by who owns the store from then on; epochs go up by one
 *   <epoch>.asked-<nonce>   put by a collector that wants the store, to ask whether the owner still runs
 *   <epoch>.here-<nonce>    the owner's answer
 *   <epoch>.released        the owner has ended in order
 * An owner that does not answer loses the store to the collector that puts the next epoch. It may be paused, and go on later: so
 * every write of an owner is between two looks at the list, and what it wrote when it was none any more is removed.
 * Collectors that share their journal and catalog are one owner: each of them joins the epoch of the first, and any of them answers.
 */
export const OWNERS_PREFIX = "v1/owners/";
const DIGITS = 12;
const KEY = /^v1\/owners\/([0-9]{12})(?:\.(released)|\.(asked|here)-([0-9a-f-]{36}))?$/;

export interface OwnerOptions {
  /** of the data folder: a collector on the same folder takes over at once, since the folder's lock admits one process only */
  readonly id: string;
  /** for people: host, process and folder */
  readonly who: string;
  /** Collectors of this id own the store together, under one epoch, which does not end with any of them. */
  readonly shared?: boolean;
  /** how often the owner looks whether it is asked, milliseconds; default 5,000 */
  readonly lookMs?: number;
  /** how long its answer is waited for; default 20,000 */
  readonly answerMs?: number;
  /** called when the last owner is asked whether it still runs, which takes up to `answerMs` */
  readonly onAsking?: () => void;
  /** ends the wait for the answer; `ownStore` then throws its reason */
  readonly signal?: AbortSignal;
  /** called after each look of the owner at the store: with what it failed with, or null if the store answered */
  readonly onLook?: (error: unknown) => void;
  /** called once, with `TAKEN`, when another one owns the store */
  readonly onLost: (error: StoreError) => void;
}

export interface StoreOwner {
  /** The store, for the owner alone: every write throws `TAKEN` once another one owns it. Reading is free. */
  readonly store: ObjectStore;
  readonly epoch: number;
  /** The next one need not wait. */
  release(): Promise<void>;
}

interface Seen {
  readonly epoch: number;
  readonly released: boolean;
  readonly asked: readonly string[];
  readonly keys: readonly string[];
}

const keyOf = (epoch: number) => OWNERS_PREFIX + String(epoch).padStart(DIGITS, "0");

/** The newest epoch, the requests that were made for it, and all keys. Epoch 0: there was no owner yet. */
async function look(store: Pick<ObjectStore, "list">): Promise<Seen> {
  const keys: string[] = [];
  for await (const { key } of store.list(OWNERS_PREFIX)) keys.push(key);
  const parsed = keys.flatMap((key) => {
    const [, epoch, released, state, nonce] = KEY.exec(key) ?? [];
    return epoch === undefined ? [] : [{ epoch: Number(epoch), released: released !== undefined, state, nonce }];
  });
  const epoch = parsed.reduce(
    (most, each) => (each.state === undefined && !each.released ? Math.max(most, each.epoch) : most),
    0,
  );
  const ofIt = parsed.filter((each) => each.epoch === epoch);
  return {
    epoch,
    released: ofIt.some(({ released }) => released),
    asked: ofIt.flatMap(({ state, nonce }) => (state === "asked" && nonce !== undefined ? [nonce] : [])),
    keys,
  };
}

/** Epoch of the newest owner: while it stays the same, only that owner can have written. 0: there was none yet. */
export const newestEpoch = async (store: Pick<ObjectStore, "list">): Promise<number> => (await look(store)).epoch;

/**
 * Makes this collector the owner of the store. Throws `TAKEN` if another one is, and answers; one that does not answer in
 * `answerMs` has lost it. Throws `StoreError` as the store does.
 */
export async function ownStore(store: ObjectStore, options: OwnerOptions): Promise<StoreOwner> {
  const { answerMs = 20_000, signal, onAsking = () => {} } = options;
  const isAnswered = (epoch: number) => {
    onAsking();
    return answers(store, epoch, answerMs, signal);
  };
  for (;;) {
    const seen = await look(store);
    if (seen.epoch > 0 && !seen.released) {
      const owner = await ownerOf(store, seen.epoch);
      if (options.shared === true && owner?.id === options.id) return own(store, seen.epoch, options);
      if (owner !== null && owner.id !== options.id && (await isAnswered(seen.epoch))) throw takenBy(owner.who);
    }
    const epoch = seen.epoch + 1;
    const body = Buffer.from(JSON.stringify({ id: options.id, who: options.who, nonce: randomUUID(), at: Date.now() }));
    // another one that wanted it may have been first: then that one is asked
    if ((await store.putIfAbsent(keyOf(epoch), body)) === "different") continue;
    for (const key of seen.keys) await store.delete(key);
    return own(store, epoch, options);
  }
}

function own(
  store: ObjectStore,
  epoch: number,
  { shared = false, lookMs = 5_000, onLook = () => {}, onLost }: OwnerOptions,
): StoreOwner {
  let lost: StoreError | null = null;
  function lose(error: StoreError): StoreError {
    if (lost === null) onLost((lost = error));
    return lost;
  }

  async function check(): Promise<void> {
    if (lost !== null) throw lost;
    const seen = await look(store);
    if (seen.epoch !== epoch || !seen.keys.includes(keyOf(epoch)))
      throw lose(takenBy((await ownerOf(store, seen.epoch).catch(() => null))?.who ?? "another collector"));
    for (const nonce of seen.asked) {
      await store.put(`${keyOf(epoch)}.here-${nonce}`, Buffer.from("here"));
      await store.delete(`${keyOf(epoch)}.asked-${nonce}`);
    }
  }

  let looking: Promise<void> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy || lost !== null) return;
    busy = true;
    // a store that is away says nothing of who owns it
    looking = check()
      .then(
        () => onLook(null),
        (error: unknown) => onLook(error),
      )
      .finally(() => (busy = false));
  }, lookMs);

  const owned: ObjectStore = {
    ...store,
    async put(key, body) {
      await check();
      await store.put(key, body);
      await check();
    },
    async putIfAbsent(key, body) {
      await check();
      const outcome = await store.putIfAbsent(key, body);
      try {
        await check();
      } catch (error) {
        if (lost !== null && outcome === "created") await store.delete(key).catch(() => undefined);
        throw error;
      }
      return outcome;
    },
    async delete(key) {
      await check();
      await store.delete(key);
    },
  };
  return {
    store: owned,
    epoch,
    async release() {
      clearInterval(timer);
      await looking;
      // collectors that share the store may still use it: the next owner finds out by asking them
      if (lost === null && !shared)
        await store.put(`${keyOf(epoch)}.released`, Buffer.from("released")).catch(() => undefined);
    },
  };
}

async function answers(
  store: ObjectStore,
  epoch: number,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const nonce = randomUUID();
  const [asked, here] = [`${keyOf(epoch)}.asked-${nonce}`, `${keyOf(epoch)}.here-${nonce}`];
  await store.put(asked, Buffer.from("asked"));
  const step = Math.min(250, withinMs / 10);
  try {
    for (const until = performance.now() + withinMs; performance.now() < until;) {
      if ((await store.head(here)) !== null) return true;
      await sleep(step);
      signal?.throwIfAborted();
    }
    return false;
  } finally {
    await store.delete(asked).catch(() => undefined);
    await store.delete(here).catch(() => undefined);
  }
}

/** null: it is gone, another one owns the store. */
async function ownerOf(store: ObjectStore, epoch: number): Promise<{ id: string; who: string } | null> {
  try {
    const text = Buffer.from(await store.getRange(keyOf(epoch), 0, 4_096)).toString();
    const { id, who } = JSON.parse(text) as { id?: unknown; who?: unknown };
    return { id: String(id), who: String(who) };
  } catch (error) {
    if (error instanceof StoreError && error.code === "NO_OBJECT") return null;
    if (error instanceof StoreError) throw error;
    return { id: "", who: "a collector that does not say which" };
  }
}

const takenBy = (who: string) => new StoreError("TAKEN", "the store", `belongs to ${who}`);
