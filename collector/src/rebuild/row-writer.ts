import { EnvelopeError } from "@reenact/envelope";
import type { PackEntry, PackIndex } from "@reenact/envelope/pack";
import { createBatchWriter } from "../catalog/batch-writer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { compareCopies as compare, copyOf as copyIn, type IsVoid, type RunCopy } from "../retain/copy-order.ts";
import { readPackIndexFrom } from "../seal/read-packs.ts";
import type { ReadStore } from "../store/object-store.ts";
import { StoreError, type StoreErrorCode } from "../store/store-error.ts";
import type { ReadRun } from "./run-readers.ts";

/** Errors of one pack, not of the store. */
const IN_ITSELF: readonly StoreErrorCode[] = ["NO_OBJECT", "BAD_RANGE", "DAMAGED"];
/** Number of pack indexes kept in memory, to compare copies of a run. */
const INDEXES = 16;

/** The pack is gone or damaged: others can still be read. */
export function isOfOnePack(error: unknown): error is EnvelopeError | StoreError {
  return error instanceof EnvelopeError || (error instanceof StoreError && IN_ITSELF.includes(error.code));
}

/** One copy of a run, as far as it is compared. */
interface Copy extends RunCopy {
  readonly key: string;
}

/** Positive: the catalog names the first one. Copies that are otherwise equal compare by key. */
function compareCopies(a: Copy, b: Copy): number {
  return compare(a, b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** Puts rows of copies that come in any order, so that each run ends with the row of its current copy. */
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

  /** Throws `CatalogError` with `CONFLICT` where another process has changed a row between the look at it and the write. */
  async function write(batch: readonly ReadRun[]): Promise<(boolean | CatalogError)[]> {
    const best = new Map<string, ReadRun>();
    for (const run of batch) {
      const key = `${run.row.tenant}/${run.row.run}`;
      const other = best.get(key);
      if (!other || compareCopies(copyOf(run), copyOf(other)) > 0) best.set(key, run);
    }
    const all = [...best.values()];
    const rows = await Promise.all(all.map(({ row }) => catalog.get(row.tenant, row.run)));
    const stay = await Promise.all(all.map((run, n) => stays(rows[n]!, copyOf(run))));
    const put = all.filter((_, n) => !stay[n]);
    const upsert = put.map((run) => {
      const known = rows[all.indexOf(run)]!;
      const ifPart = known === null ? null : known.parts.at(-1);
      return { row: run.row, text: run.text, ...(ifPart !== undefined && { ifPart }) };
    });
    try {
      if (upsert.length > 0) await catalog.apply({ upsert });
    } catch (error) {
      if (batch.length === 1 && error instanceof CatalogError && error.code === "REFUSED") return [error];
      throw error;
    }
    return batch.map((run) => put.includes(run) && rows[all.indexOf(run)] === null);
  }

  /** One batch after another. Results: the run had no row before, or why the catalog never takes it. */
  const writer = createBatchWriter<ReadRun, boolean | CatalogError>(async (batch) => {
    for (;;) {
      try {
        return await write(batch);
      } catch (error) {
        if (!(error instanceof CatalogError) || error.code !== "CONFLICT") throw error;
      }
    }
  });

  return {
    /** `wanted`: entries that are not void, and newer than their row; `same`: number of rows that name this pack already. */
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
    /** Resolves to the number of runs that were not there before, and to those that the catalog never takes. */
    async put(runs: readonly ReadRun[]): Promise<{ put: number; refused: { run: string; error: CatalogError }[] }> {
      const results = await writer.add(runs);
      const refused = results.flatMap((error, n) =>
        error instanceof CatalogError ? [{ run: runs[n]!.row.run, error }] : [],
      );
      return { put: results.filter((each) => each === true).length, refused };
    },
  };
}

function copyOf({ row, raw, marks }: ReadRun) {
  const { revision, key, offset } = row.parts.at(-1)!;
  return { revision, raw, key, offset, marks, class: row.class };
}
