import type { PackEntry, PackIndex } from "@reenact/envelope/pack";
import type { Catalog } from "../catalog/catalog.ts";
import type { Log } from "../log.ts";
import { readVoidCopies } from "../retain/copy-order.ts";
import { packKeys, readPackIndexFrom } from "../seal/read-packs.ts";
import type { ReadStore } from "../store/object-store.ts";
import { createRowWriter, isOfOnePack } from "./row-writer.ts";
import { startRunReaders } from "./run-readers.ts";

/** How far a rebuild is, all its attempts together. */
export interface RebuildProgress {
  readonly packs: number;
  /** packs in the store; null: they are not counted yet */
  readonly of: number | null;
  /** runs in the packs read so far, each counted once */
  readonly runs: number;
  /** packs of which at least one run cannot be read */
  readonly unreadable: number;
}

export interface RebuildOptions {
  readonly store: ReadStore;
  readonly catalog: Pick<Catalog, "apply" | "cursor" | "get">;
  /** of the store's owner */
  readonly epoch: number;
  /**
   * Whether a rebuild that was cut short under this epoch goes on: only if nobody else can have written packs since. Default:
   * the same epoch, and the one before.
   */
  readonly goesOn?: (epoch: number) => boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** threads of low priority that read runs; default: one for each processor, at most 4 */
  readonly threads?: number;
  readonly log: Log;
}

/** Set once the catalog has a row for every run in the store. */
const COMPLETE = "catalog:complete";
/** Up to which pack the runs are in the catalog. */
const PLACE = "catalog:rebuild";
const TOLD_EVERY = 5_000;
const SAVED_EVERY = 500;
const PACKS_AT_ONCE = 16;
/** Bytes of one read, and of all that are read and not in the catalog yet. */
const CHUNK = 4 * 1024 ** 2;
const IN_WORK = 32 * 1024 ** 2;
/** Bytes between two runs up to which both are read by one request: it costs less than a second request. */
const GAP = 64 * 1024;

export const isComplete = async (catalog: Pick<Catalog, "cursor">): Promise<boolean> =>
  (await catalog.cursor(COMPLETE)) !== null;

/**
 * Puts a row for every run in the store, then notes that the catalog is complete. Nobody else may put rows or packs
 * meanwhile. Of several copies of a run `compareCopies` chooses, whatever their order; rows of an attempt that was cut
 * short are compared too. A run or a pack that cannot be read is logged and passed over. Throws `StoreError` if the store
 * cannot be reached, and the signal's reason.
 */
export async function rebuildCatalog(options: RebuildOptions): Promise<RebuildProgress> {
  const { store, catalog, epoch, log, signal = new AbortController().signal } = options;
  const goesOn = options.goesOn ?? ((of) => of === epoch || of === epoch - 1);
  const before = readPlace(await catalog.cursor(PLACE));
  const from = before !== null && goesOn(before.epoch) ? before : { after: null, packs: 0, runs: 0, unreadable: 0 };
  let { after } = from;
  const done = { packs: from.packs, runs: from.runs, unreadable: from.unreadable };
  let of: number | null = null;
  const progress = (): RebuildProgress => ({ ...done, of });
  const tell = () => options.onProgress?.(progress());
  log("info", "catalog.rebuild", { ...progress(), goesOn: after !== null });
  tell();

  const rows = createRowWriter(store, catalog, await readVoidCopies(store));
  const room = byteRoom(IN_WORK);
  const readers = startRunReaders(options.threads);
  /** in order of keys; `after` moves on to the last pack before the first one that is not done */
  const underWay: { readonly key: string; runs: number; isUnreadable: boolean; isDone: boolean }[] = [];
  const running = new Set<Promise<void>>();
  let failure: unknown;

  const save = (final: boolean) =>
    catalog.apply({
      cursors: {
        [PLACE]: final ? "" : JSON.stringify({ epoch, after, ...done }),
        ...(final && { [COMPLETE]: String(done.packs) }),
      },
    });
  let saving: Promise<void> = save(false);
  let savedAt = performance.now();
  let toldAt = savedAt;

  async function onePack(pack: (typeof underWay)[number]): Promise<void> {
    const { key } = pack;
    try {
      const index = await readPackIndexFrom(store, key);
      const { wanted, same } = await rows.wanted(key, index);
      pack.runs += same;
      const chunks = chunksOf(wanted);
      // every chunk ends before the rebuild does: a later attempt must be the only one that puts rows
      const results = await Promise.allSettled(chunks.map((chunk) => oneChunk(pack, index, chunk)));
      for (const result of results) {
        if (result.status === "rejected") throw result.reason;
        if (!result.value) pack.isUnreadable = true;
      }
    } catch (error) {
      if (!isOfOnePack(error)) throw error;
      // it has expired since it was listed
      if (error.code === "NO_OBJECT") return;
      pack.isUnreadable = true;
      log("error", "catalog.pack-unreadable", { key, error });
    }
  }

  /** False: some run in it cannot be read. */
  async function oneChunk(
    pack: (typeof underWay)[number],
    index: PackIndex,
    entries: readonly PackEntry[],
  ): Promise<boolean> {
    const offset = entries[0]!.offset;
    const length = entries.at(-1)!.offset + entries.at(-1)!.length - offset;
    const { key } = pack;
    await room.take(length);
    try {
      signal.throwIfAborted();
      if (failure !== undefined) throw failure;
      const bytes = await store.getRange(key, offset, length);
      const { tenant, class: kept } = index;
      const read = await readers.read({ tenant, class: kept, key, offset, entries, bytes });
      const { put, refused } = await rows.put(read.runs);
      const failed = [...read.failed, ...refused];
      for (const { run, error } of failed) log("error", "catalog.run-unreadable", { key, run, error });
      pack.runs += put;
      return failed.length === 0;
    } finally {
      room.give(length);
    }
  }

  function finished(pack: (typeof underWay)[number]): void {
    pack.isDone = true;
    while (underWay[0]?.isDone) {
      const { key, runs, isUnreadable } = underWay.shift()!;
      after = key;
      done.packs++;
      done.runs += runs;
      if (isUnreadable) done.unreadable++;
    }
    tell();
    const now = performance.now();
    if (now - toldAt >= TOLD_EVERY) {
      toldAt = now;
      log("info", "catalog.rebuilding", { ...progress() });
    }
    if (now - savedAt >= SAVED_EVERY && failure === undefined) {
      savedAt = now;
      saving = saving.then(() => save(false)).catch((error: unknown) => void (failure ??= error));
    }
  }

  const counted = count(store, signal).then(
    (packs) => {
      of = packs;
      tell();
    },
    // the listing below fails for the same reason, and reports it
    () => {},
  );
  try {
    for await (const key of packKeys(store, undefined, after ?? undefined)) {
      signal.throwIfAborted();
      const pack = { key, runs: 0, isUnreadable: false, isDone: false };
      underWay.push(pack);
      const one: Promise<void> = onePack(pack)
        .then(() => finished(pack))
        .catch((error: unknown) => void (failure ??= error))
        .finally(() => running.delete(one));
      running.add(one);
      if (running.size >= PACKS_AT_ONCE) await Promise.race(running);
      if (failure !== undefined) throw failure;
    }
  } catch (error) {
    failure ??= error;
  }
  await Promise.all(running);
  await readers.close();
  await saving;
  // the next attempt goes on behind the packs that are done
  if (failure !== undefined) {
    await save(false).catch(() => {});
    throw failure;
  }
  await counted;
  await save(true);
  of = done.packs;
  tell();
  log("info", "catalog.rebuilt", { ...progress() });
  return progress();
}

interface Place {
  readonly epoch: number;
  readonly after: string | null;
  readonly packs: number;
  readonly runs: number;
  readonly unreadable: number;
}

function readPlace(text: string | null): Place | null {
  return text === null || text === "" ? null : (JSON.parse(text) as Place);
}

async function count(store: ReadStore, signal: AbortSignal): Promise<number> {
  let packs = 0;
  for await (const _ of packKeys(store)) {
    signal.throwIfAborted();
    packs++;
  }
  return packs;
}

/** Groups runs that lie side by side, or nearly, to read each group by one request. */
function chunksOf(entries: readonly PackEntry[]): PackEntry[][] {
  const chunks: PackEntry[][] = [];
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    const chunk = chunks.at(-1);
    const [first, last] = [chunk?.[0], chunk?.at(-1)];
    const fits =
      first !== undefined &&
      last !== undefined &&
      entry.offset - last.offset - last.length <= GAP &&
      entry.offset + entry.length - first.offset <= CHUNK;
    if (fits) chunk!.push(entry);
    else chunks.push([entry]);
  }
  return chunks;
}

/** Limits the bytes that are in work at a time; a piece that is larger than the limit waits until it is alone. */
function byteRoom(bytes: number) {
  let taken = 0;
  const waiting: { readonly length: number; readonly go: () => void }[] = [];
  const next = () => {
    while (waiting[0] && (taken === 0 || taken + waiting[0].length <= bytes)) {
      const { length, go } = waiting.shift()!;
      taken += length;
      go();
    }
  };
  return {
    take: (length: number) =>
      new Promise<void>((go) => {
        waiting.push({ length, go });
        next();
      }),
    give(length: number) {
      taken -= length;
      next();
    },
  };
}
