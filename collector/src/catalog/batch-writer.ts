import { CatalogError } from "./catalog-error.ts";

/**
 * Writes items in batches, one batch after another. Items that are added while a batch is being written form the next batch.
 * `write` resolves to one result for each item, in their order; when it rejects, every item of its batch is rejected, unless
 * one item may be the cause (`REFUSED`): each is then written by itself.
 */
export function createBatchWriter<Item, Result>(write: (batch: readonly Item[]) => Promise<readonly Result[]>) {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  let pending: Waiting[] = [];
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      await writeBatch(batch);
    }
    writing = null;
  }

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await write(batch.map(({ item }) => item));
      for (const [n, { resolve }] of batch.entries()) resolve(results[n]!);
    } catch (error) {
      const isOfOne = error instanceof CatalogError && error.code === "REFUSED" && batch.length > 1;
      if (isOfOne) for (const each of batch) await writeBatch([each]);
      else for (const { reject } of batch) reject(error);
    }
  }

  return {
    /** Resolves to the results of these items. */
    async add(items: readonly Item[]): Promise<Result[]> {
      // with nothing to write, `writeAll` would end before its promise is stored, and block the items that follow
      if (items.length === 0) return [];
      const results = items.map(
        (item) => new Promise<Result>((resolve, reject) => void pending.push({ item, resolve, reject })),
      );
      writing ??= writeAll();
      return Promise.all(results);
    },
    /** Resolves when nothing is being written. */
    async idle(): Promise<void> {
      await writing;
    },
  };
}
