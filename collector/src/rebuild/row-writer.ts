import { EnvelopeError } from "@reenact/envelope";
import type { PackEntry, PackIndex } from "@reenact/envelope/pack";
import type { Catalog } from "../catalog/catalog.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { compareCopies as compare, copyOf as copyIn, type IsVoid, type RunCopy } from "../retain/copy-order.ts";
import { readPackIndexFrom } from "../seal/read-packs.ts";
import type { ReadStore } from "../store/object-store.ts";
import { StoreError, type StoreErrorCode } from "../store/store-error.ts";
import type { ReadRun } from "./run-readers.ts";

/** What is wrong with one pack, and not with the store. */
const IN_ITSELF: readonly StoreErrorCode[] = ["NO_OBJECT", "BAD_RANGE", "DAMAGED"];
/** Indexes that are held to compare copies of a run. */
const INDEXES = 16;

/** The pack is gone or damaged: others can still be read. */
export function isOfOnePack(error: unknown): error is EnvelopeError | StoreError {
  return error instanceof EnvelopeError || (error instanceof StoreError && IN_ITSELF.includes(error.code));
}

/** One copy of a run, as far as it is compared. */
interface Copy extends RunCopy {
  readonly key: string;
}

/** Which of two copies of one run the catalog names: positive, the first one. */
function compareCopies(a: Copy, b: Copy): number {
  return compare(a, b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** Puts rows of copies that are met in any order, so that each run ends with the one that counts. */
export function createRowWriter(store: ReadStore, catalog: Pick<Catalog, "apply" | "get">, isVoid: IsVoid) {
  const indexes = new Map<string, Promise<PackIndex | null>>();

  /** null: the pack is gone, or cannot be read */
  function indexOf(key: string): Promise<PackIndex | null> {
    const known = indexes.get(key);
    if (known) return known;
    const read = readPackIndexFrom(store, key).catch((error: unknown) => {
      if (isOfOnePack(error)) return null;
      indexes.delete(key);
      throw error;
    });
    indexes.set(key, read);
    if (indexes.size > INDEXES) indexes.delete(indexes.keys().next().value!);
    return read;
  }

  /** The row stays as it is: its copy is the better one, or this one. */
  async function stays(row: RunRow | null, copy: Copy & { offset: number }): Promise<boolean> {
    const part = row?.parts.at(-1);
    if (!row || !part || row.revision < copy.revision) return false;
    if (row.revision > copy.revision || (part.key === copy.key && part.offset === copy.offset)) return true;
    const index = await indexOf(part.key);
    const entry = index?.runs.find(({ run, offset }) => run === row.run && offset === part.offset);
    if (!entry) return false;
    return compareCopies({ ...copyIn(entry, row.class), key: part.key }, copy) >= 0;
  }

  let pending: {
    readonly run: ReadRun;
    readonly done: (put: boolean) => void;
    readonly failed: (error: unknown) => void;
  }[] = [];
  let writing: Promise<void> | null = null;

  /** One after another: a row is looked at and put with nothing in between. */
  async function write(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        const best = new Map<string, (typeof batch)[number]>();
        for (const each of batch) {
          const key = `${each.run.row.tenant}/${each.run.row.run}`;
          const other = best.get(key);
          if (!other || compareCopies(copyOf(each.run), copyOf(other.run)) > 0) best.set(key, each);
        }
        const all = [...best.values()];
        const rows = await Promise.all(all.map(({ run: { row } }) => catalog.get(row.tenant, row.run)));
        const stay = await Promise.all(all.map(({ run }, n) => stays(rows[n]!, copyOf(run))));
        const put = all.filter((_, n) => !stay[n]);
        if (put.length > 0) await catalog.apply({ upsert: put.map(({ run: { row, text } }) => ({ row, text })) });
        for (const each of batch) each.done(put.includes(each) && rows[all.indexOf(each)] === null);
      } catch (error) {
        for (const each of batch) each.failed(error);
      }
    }
    writing = null;
  }

  return {
    /** Entries of a pack that count and that the catalog does not have, nor a better copy; and how many it has from an earlier attempt. */
    async wanted(
      key: string,
      { tenant, class: kept, runs }: PackIndex,
    ): Promise<{ readonly wanted: PackEntry[]; readonly same: number }> {
      const rows = await Promise.all(runs.map(({ run }) => catalog.get(tenant, run)));
      const known = await Promise.all(
        runs.map(async (entry, n) => {
          const copy = copyIn(entry, kept);
          return isVoid(tenant, entry.run, copy) || stays(rows[n]!, { ...copy, key, offset: entry.offset });
        }),
      );
      const same = rows.filter((row, n) => {
        const part = row?.parts.at(-1);
        return part?.key === key && part.offset === runs[n]!.offset;
      });
      return { wanted: runs.filter((_, n) => !known[n]), same: same.length };
    },
    /** Resolves to the number of runs that were not there before. */
    async put(runs: readonly ReadRun[]): Promise<number> {
      const news = runs.map((run) => new Promise<boolean>((done, failed) => void pending.push({ run, done, failed })));
      writing ??= write();
      return (await Promise.all(news)).filter(Boolean).length;
    },
  };
}

function copyOf({ row, said }: ReadRun) {
  const { revision, key, offset } = row.parts.at(-1)!;
  return { revision, key, offset, said, class: row.class };
}
