import type { RetentionClass } from "@reenact/envelope/schema";
import type { Catalog } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import type { Filter } from "../catalog/filter.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { type Log, noLog } from "../log.ts";
import { parsePackKey } from "@reenact/envelope/pack";
import type { PackPruner } from "../seal/pack-pruner.ts";
import { readPackIndexFrom } from "../seal/read-packs.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { type Prediction, predictStorage, type StoredPack } from "./predict-storage.ts";
import { classPrefix, EXPIRING, expiryOf, type RetentionTimes } from "./retention-times.ts";
import { monthlyCost, type StoragePrice } from "./storage-price.ts";

export interface SweepDeps {
  readonly store: ObjectStore;
  readonly catalog: Pick<Catalog, "apply" | "get" | "find" | "cursor">;
  readonly pruner: Pick<PackPruner, "lookOver">;
  readonly times: RetentionTimes;
  /** shared with the keeper */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly now?: () => number;
  readonly log?: Log;
}

export interface Amount {
  readonly packs: number;
  readonly runs: number;
  readonly bytes: number;
}

export interface SweepPlan {
  /** by class: what is past its time, and what stays */
  readonly goes: Readonly<Record<RetentionClass, Amount>>;
  readonly stays: Readonly<Record<RetentionClass, Amount>>;
  readonly price: StoragePrice;
  readonly usdPerMonth: { readonly goes: number; readonly stays: number };
  readonly predicted: Readonly<Record<RetentionClass, Prediction>>;
  /** by which this was judged */
  readonly times: RetentionTimes;
}

/** Other times than those that are set, to see what they would do. */
export interface AskedRetention {
  readonly short?: number | undefined;
  readonly sample?: number | undefined;
  readonly sampleShare?: number | undefined;
}

/** Name of the cursor: packs that the store got before then were looked at. */
const LOOKED = "sweep:looked";
/** So long after a pack was written, its runs are committed, by its owner or by the next one: the longest that a run is open, and more. */
const COMMITTED_MS = 26 * 3_600_000;

/** Other processes may change rows meanwhile, by a mark for example: what goes is then looked at again, so often. */
const TRIES = 3;

export type Sweep = ReturnType<typeof createSweep>;

/** Removes packs that are past their time, and the rows of their runs. */
export function createSweep(deps: SweepDeps) {
  const { store, catalog, pruner, times, alone, now = Date.now, log = noLog } = deps;

  const isDue = (key: string, by = times) => {
    const expiry = expiryOf(key, by);
    return expiry !== null && expiry <= now();
  };

  /** Null: rows were changed each time, and what was to go is left for a later sweep. */
  async function untilUnchanged<Result>(key: string, remove: () => Promise<Result>): Promise<Result | null> {
    for (let tried = 1; tried <= TRIES; tried++) {
      try {
        return await alone(remove);
      } catch (error) {
        if (!(error instanceof CatalogError) || error.code !== "CONFLICT") throw error;
      }
    }
    log("debug", "retain.left-for-later", { key });
    return null;
  }

  /** A run that was copied to another pack since has a row that names that one: it stays. */
  async function removePack(key: string): Promise<number | null> {
    const index = await readPackIndexFrom(store, key);
    return untilUnchanged(key, async () => {
      const rows = await Promise.all(index.runs.map(({ run }) => catalog.get(index.tenant, run)));
      const remove = rows.flatMap((row) => {
        const ifPart = row?.parts.at(-1);
        return row && ifPart?.key === key ? [{ tenant: row.tenant, run: row.run, ifPart }] : [];
      });
      // refused where another process has given one of them a mark meanwhile
      if (remove.length > 0) await catalog.apply({ remove });
      await store.delete(key);
      return remove.length;
    });
  }

  /** Rows whose pack the store has expired by itself, while no collector ran. */
  async function removeRowsWithoutPack(of: (typeof EXPIRING)[number]): Promise<number> {
    const filter: Filter = {
      is: "all",
      of: [
        { is: "one-of", field: "class", values: [of] },
        { is: "number", field: "received", op: "<", value: now() - times[of] },
      ],
    };
    let removed = 0;
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<Catalog["find"]>> = await catalog.find({ filter }, { limit: 500, after });
      for (const row of page.rows) if (await hasLostItsPack(row)) removed += await removeRow(row);
      after = page.next;
    } while (after !== null);
    return removed;
  }

  async function hasLostItsPack({ state, parts }: RunRow): Promise<boolean> {
    const key = parts.at(-1)?.key;
    return state === "sealed" && key !== undefined && isDue(key) && (await store.head(key)) === null;
  }

  async function removeRow({ tenant, run, parts }: RunRow): Promise<number> {
    const key = parts.at(-1)?.key ?? "";
    const removed = await untilUnchanged(key, async () => {
      const current = await catalog.get(tenant, run);
      const ifPart = current?.parts.at(-1);
      if (ifPart?.key !== key) return 0;
      await catalog.apply({ remove: [{ tenant, run, ifPart }] });
      return 1;
    });
    return removed ?? 0;
  }

  /** Packs of runs that are kept do not expire: copies that no row names would stay for ever. Each is looked at once. */
  async function removeUnnamed(): Promise<void> {
    const from = Number((await catalog.cursor(LOOKED)) ?? 0);
    const to = now() - COMMITTED_MS;
    if (to <= from) return;
    await pruner.lookOver("keep", from, to);
    await catalog.apply({ cursors: { [LOOKED]: String(to) } });
  }

  return {
    /** Resolves to what went. A pack that cannot be read is left, and told of. */
    async sweep(): Promise<{ packs: number; runs: number; failures: number }> {
      const gone = { packs: 0, runs: 0, failures: 0 };
      for (const of of EXPIRING) {
        for await (const { key } of store.list(classPrefix(of))) {
          if (!isDue(key)) continue;
          try {
            const runs = await removePack(key);
            if (runs === null) continue;
            gone.runs += runs;
            gone.packs++;
          } catch (error) {
            if (error instanceof StoreError && error.code === "NO_OBJECT") continue;
            gone.failures++;
            log("error", "retain.not-swept", { key, error });
          }
        }
        gone.runs += await removeRowsWithoutPack(of);
      }
      await removeUnnamed();
      if (gone.packs + gone.runs + gone.failures > 0) log("info", "retain.swept", gone);
      return gone;
    },

    /**
     * The runs of a tenant that a sweep would remove now and those that stay, with their price per month, and what the classes will hold.
     * Removes nothing.
     */
    async plan(tenant: string, price: StoragePrice, asked: AskedRetention = {}): Promise<SweepPlan> {
      const by = { short: asked.short ?? times.short, sample: asked.sample ?? times.sample };
      const none = (): Record<RetentionClass, Amount> => {
        const zero = { packs: 0, runs: 0, bytes: 0 };
        return { short: zero, sample: zero, keep: zero };
      };
      const [goes, stays] = [none(), none()];
      const there: StoredPack[] = [];
      for (const kept of ["short", "sample", "keep"] as const) {
        for await (const { key, size } of store.list(`${classPrefix(kept)}${tenant}/`)) {
          const side = isDue(key, by) ? goes : stays;
          const { runs } = await readPackIndexFrom(store, key);
          const { packs, runs: before, bytes } = side[kept];
          side[kept] = { packs: packs + 1, runs: before + runs.length, bytes: bytes + size };
          there.push({ class: kept, day: parsePackKey(key)?.day ?? "", bytes: size });
        }
      }
      const predicted = predictStorage(there, {
        times: by,
        kept: times,
        sampleShare: asked.sampleShare ?? null,
        price,
        now: now(),
      });
      const cost = (side: Record<RetentionClass, Amount>) =>
        monthlyCost(side.short.bytes + side.sample.bytes + side.keep.bytes, price);
      const usdPerMonth = { goes: cost(goes), stays: cost(stays) };
      return { goes, stays, price, usdPerMonth, predicted, times: by };
    },
  };
}
