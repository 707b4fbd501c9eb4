import type { PackEntry, PackIndex } from "@reenact/envelope/pack";
import type { Catalog } from "../catalog/catalog.ts";
import type { Log } from "../log.ts";
import { readVoidCopies } from "../retain/copy-order.ts";
import { packKeys, readPackIndexFrom } from "../seal/read-packs.ts";
import type { ReadStore } from "../store/object-store.ts";
import { createRowWriter, isOfOnePack } from "./row-writer.ts";
import { startRunReaders } from "./run-readers.ts";

/** How far it has come, over all its attempts. */
export interface RebuildProgress {
  readonly packs: number;
  /** packs in the store; null: they are not counted yet */
  readonly of: number | null;
  /** of those packs, each counted once */
  readonly runs: number;
  /** packs of which at least one run cannot be read */
  readonly unreadable: number;
}

export interface RebuildOptions {
  readonly store: ReadStore;
  readonly catalog: Pick<Catalog, "apply" | "cursor" | "get">;
  /** of the store's owner */
  readonly epoch: number;
  /** Epochs of a rebuild that was cut short since which nobody can have written packs: it goes on. Default: this one, and the one before. */
  readonly goesOn?: (epoch: number) => boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** threads that read runs, behind all others; default: one for each processor, at most 4 */
  readonly threads?: number;
  readonly log: Log;
}

/** Set once the catalog has everything that the store had. */
const COMPLETE = "catalog:complete";
/** Everything up to this pack is in the catalog. */
const PLACE = "catalog:rebuild";
const TOLD_EVERY = 5_000;
const SAVED_EVERY = 500;
const PACKS_AT_ONCE = 16;
/** Bytes: of one read, and of all that is read and not put yet. */
const CHUNK = 4 * 1024 ** 2;
const IN_WORK = 32 * 1024 ** 2;
/** A request costs more than so many bytes that nobody wants. */
const GAP = 64 * 1024;

export const isComplete = async (catalog: Pick<Catalog, "cursor">): Promise<boolean> =>
  (await catalog.cursor(COMPLETE)) !== null;

/**
 * Puts a row for every run in the store, and notes that they are all there. Nobody else may put rows or packs meanwhile.
 * Of several copies of a run the newest revision counts, of those the one of which most was said: in whatever order they
 * are met, and also where a row is there from an attempt that was cut short, which this one goes on with.
 * A run or a pack that cannot be read is told of and passed over. Throws `StoreError` if the store cannot be reached, and
 * the signal's reason.
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
  /** in order of keys: what is done before the first that is not, is done */
  const underWay: { readonly key: string; runs: number; isDone: boolean }[] = [];
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
      const results = await Promise.all(chunks.map((chunk) => oneChunk(pack, index, chunk)));
      if (results.includes(false)) done.unreadable++;
    } catch (error) {
      if (!isOfOnePack(error)) throw error;
      // it has expired since it was listed
      if (error.code === "NO_OBJECT") return;
      done.unreadable++;
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
      for (const { run, error } of read.failed) log("error", "catalog.run-unreadable", { key, run, error });
      const put = await rows.put(read.runs);
      pack.runs += put;
      return read.failed.length === 0;
    } finally {
      room.give(length);
    }
  }

  function finished(pack: (typeof underWay)[number]): void {
    pack.isDone = true;
    while (underWay[0]?.isDone) {
      const { key, runs } = underWay.shift()!;
      after = key;
      done.packs++;
      done.runs += runs;
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
    // the other listing says what is wrong
    () => {},
  );
  try {
    for await (const key of packKeys(store, undefined, after ?? undefined)) {
      signal.throwIfAborted();
      const pack = { key, runs: 0, isDone: false };
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
  // what was put counts, also where it was cut short
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

/** What lies side by side, or nearly, is read at once. */
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

/** Lets so many bytes be in work; one that is larger than all goes alone. */
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
