import { readManifest } from "@reenact/envelope/file";
import { PackBuilder, type PackEntry, type PackIndex, parsePackKey } from "@reenact/envelope/pack";
import type { Catalog } from "../catalog/catalog.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { Log } from "../log.ts";
import { RANK } from "../retain/choose-class.ts";
import type { RetentionClass } from "@reenact/envelope/schema";
import { classPrefix } from "../retain/retention-times.ts";
import { compareCopies, copyOf, readVoidCopies } from "../retain/copy-order.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import type { PackIntents } from "./pack-intents.ts";
import { packEntryIn } from "./read-newest.ts";
import { readPackIndexFrom } from "./read-packs.ts";

export interface PackPrunerDeps {
  readonly store: ObjectStore;
  readonly catalog: Pick<Catalog, "apply" | "get">;
  /** notes of packs that hold a revision which has a newer one, or will have */
  readonly notes: Pick<PackIntents, "note" | "done" | "left">;
  /** shared with the keeper and the sweep */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** a pack stays so long for those that read from it, milliseconds; default 60,000 */
  readonly graceMs?: number;
  readonly log: Log;
}

/** Removes revisions that a newer one has taken the place of. */
export interface PackPruner {
  /** Before the newer revision is committed: after a crash the pack is looked at. */
  note(keys: Iterable<string>): Promise<void>;
  /** The newer one is in the store and in the catalog. */
  superseded(keys: Iterable<string>): void;
  /** Looks at the packs that are due, or at all that are noted. */
  prune(all?: boolean): Promise<void>;
  /**
   * Looks at the packs of a class that the store got between two times, milliseconds since the epoch: at those, too, that an owner of a
   * partition wrote and could not commit any more, of which nobody has a note.
   */
  lookOver(kept: RetentionClass, from: number, to: number): Promise<void>;
}

/** Packs of more are left as they are while a run in them is needed: one is written again in memory. */
const MOST_REWRITTEN = 256 * 1024 ** 2;

/**
 * A pack of which no entry is the catalog's own goes. One with more bytes of old revisions than of needed ones is written
 * again without them, its rows are changed, and then it goes: so at most as much is stored in vain as is needed. So is one
 * with a copy of a run that has come back into a class that expires: it would stay for ever.
 */
export function createPackPruner(deps: PackPrunerDeps): PackPruner {
  const { store, catalog, notes, alone, graceMs = 60_000, log } = deps;
  const due = new Map<string, number>(notes.left().map((key) => [key, performance.now() + graceMs]));

  async function pruneOne(key: string): Promise<void> {
    const { tenant, runs } = await readPackIndexFrom(store, key);
    const kept = parsePackKey(key)!.class;
    const rows = await Promise.all(runs.map(({ run }) => catalog.get(tenant, run)));
    const indexes = new Map<string, Promise<PackIndex>>();
    const isNeeded = await Promise.all(
      runs.map(async (entry, n) => {
        const row = rows[n]!;
        if (row !== null && !isSuperseded(key, entry, row)) return true;
        if (row !== null && (await namesOneAsGood(row, { entry, kept, indexes }))) return false;
        if (kept === "short") return true;
        // the run has expired: its copy stays only if it is not void
        const { run } = entry;
        return !(await readVoidCopies(store, { tenant, run }))(tenant, run, copyOf(entry, kept));
      }),
    );
    const needed = runs.flatMap((entry, n) => (isNeeded[n] ? [{ entry, row: rows[n]! }] : []));
    if (needed.length === runs.length) return;
    const mustGo = rows.some((row, n) => !isNeeded[n] && (!row || RANK[row.class] < RANK[kept]));
    const size = (entries: readonly PackEntry[]) => entries.reduce((sum, { length }) => sum + length, 0);
    const bytes = size(needed.map(({ entry }) => entry));
    if (needed.length > 0) {
      // an entry that the catalog does not name is nobody's to move
      if (needed.some(({ entry, row }) => !isNamed(key, entry, row)) || bytes > MOST_REWRITTEN) return;
      if (bytes * 2 > size(runs) && !mustGo) return;
      if (!(await rewrite(key, needed))) return;
    }
    await store.delete(key);
    log("info", "seal.pack-pruned", { key, removed: runs.length - needed.length, moved: needed.length });
  }

  /**
   * Whether the copy that the row names is there, and is not an older one: a catalog that was restored from a backup names copies from
   * before a mark, and packs that are gone.
   */
  async function namesOneAsGood(
    row: RunRow,
    of: {
      readonly entry: PackEntry;
      readonly kept: RetentionClass;
      /** of packs that rows name; many name the same */
      readonly indexes: Map<string, Promise<PackIndex>>;
    },
  ): Promise<boolean> {
    const part = row.parts.at(-1)!;
    const { key } = part;
    try {
      const index = of.indexes.get(key) ?? readPackIndexFrom(store, key);
      of.indexes.set(key, index);
      const named = packEntryIn(await index, row.run, part);
      return compareCopies(copyOf(named, row.class), copyOf(of.entry, of.kept)) >= 0;
    } catch (error) {
      if (error instanceof StoreError && error.code === "NO_OBJECT") return false;
      throw error;
    }
  }

  async function rewrite(key: string, needed: readonly { entry: PackEntry; row: RunRow | null }[]): Promise<boolean> {
    const builder = new PackBuilder(parsePackKey(key)!);
    const chunks: Uint8Array[] = [];
    const placed: { row: RunRow; offset: number; revision: number }[] = [];
    for (const { entry, row } of needed) {
      const bytes = await store.getRange(key, entry.offset, entry.length);
      const { header, manifest } = readManifest(bytes);
      const { receipt, flags } = entry;
      const { offset } = builder.add({ header, manifest, length: bytes.length, receipt, flags });
      chunks.push(bytes);
      placed.push({ row: row!, offset, revision: entry.revision });
    }
    const finished = builder.finish();
    // other bytes below this name: somebody has moved one of them already
    if ((await store.putIfAbsent(finished.key, Buffer.concat([...chunks, finished.footer]))) === "different")
      return false;
    const upsert = placed.map(({ row, offset, revision }) => {
      const parts = row.parts.map((part) =>
        part.key === key && part.revision === revision ? { ...part, key: finished.key, offset } : part,
      );
      const ifPart = row.parts.at(-1);
      return { row: { ...row, parts }, ...(ifPart && { ifPart }) };
    });
    // refused where another process has changed one of them meanwhile: the pack is then looked at again later
    await catalog.apply({ upsert });
    return true;
  }

  /** The note is removed before this ends: after it, a note for the same key may be written again. */
  async function look(key: string): Promise<void> {
    try {
      await pruneOne(key);
    } catch (error) {
      // it is gone already: swept, or pruned before a crash
      if (!(error instanceof StoreError) || error.code !== "NO_OBJECT") {
        due.set(key, performance.now() + graceMs);
        log("warn", "seal.not-pruned", { key, error });
        return;
      }
    }
    if (due.delete(key)) await notes.done(key);
  }

  return {
    async note(keys) {
      for (const key of keys) if (!due.has(key)) await notes.note(key);
    },
    superseded(keys) {
      for (const key of keys) due.set(key, performance.now() + graceMs);
    },
    async lookOver(kept, from, to) {
      for await (const { key, modified } of store.list(classPrefix(kept))) {
        if (modified < from || modified >= to || due.has(key)) continue;
        try {
          await alone(() => pruneOne(key));
        } catch (error) {
          if (error instanceof StoreError && error.code === "NO_OBJECT") continue;
          log("warn", "seal.not-pruned", { key, error });
          // its time is looked at once: it is tried again as one that is noted
          await notes.note(key);
          due.set(key, performance.now() + graceMs);
        }
      }
    },
    async prune(all = false) {
      for (const [key, at] of due) {
        if (all || at <= performance.now()) await alone(() => look(key));
      }
    },
  };
}

/** The catalog names another copy of the run that is at least as new. */
function isSuperseded(key: string, { revision, offset }: PackEntry, row: RunRow | null): boolean {
  const part = row?.parts.at(-1);
  if (!row || !part || row.state !== "sealed" || row.revision < revision) return false;
  return !isNamed(key, { offset }, row);
}

const isNamed = (key: string, { offset }: Pick<PackEntry, "offset">, row: RunRow | null): boolean =>
  row?.parts.some((each) => each.key === key && each.offset === offset) ?? false;
