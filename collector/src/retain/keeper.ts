import { isDeepStrictEqual } from "node:util";
import { readHeader, readManifest } from "@reenact/envelope/file";
import { PackBuilder, type PackEntry, type PackReceipt, parsePackKey, reclassEnvelope } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import { CatalogError } from "../catalog/catalog-error.ts";
import type { Catalog, Fence } from "../catalog/catalog.ts";
import type { RunPart, RunRow } from "../catalog/run-row.ts";
import type { PackIntents } from "../seal/pack-intents.ts";
import type { PackPruner } from "../seal/pack-pruner.ts";
import { packEntryOf, readNewest, type RestoreRow } from "../seal/read-newest.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { chooseClass, flagsOf, floorOf, longerClass, RANK } from "./choose-class.ts";
import { copyOf, loweredKey } from "./copy-order.ts";
import type { RetentionRule } from "./retention-rules.ts";
import { countFromFor, receiptDay, type RetentionTimes } from "./retention-times.ts";
import {
  changesOf,
  countOf,
  isRemoval,
  joinMarks,
  receiptOf,
  type MarkList,
  markListOf,
  standingMarks,
  type MarkChange,
} from "./mark-list.ts";

export interface KeeperDeps {
  readonly store: ObjectStore;
  readonly catalog: Pick<Catalog, "apply" | "get">;
  readonly policy: { readonly rules: readonly RetentionRule[]; readonly sampleShare: number };
  readonly times: RetentionTimes;
  /** notes of copies that may not be in the catalog yet */
  readonly intents: Pick<PackIntents, "note" | "done">;
  readonly pruner: Pick<PackPruner, "note" | "superseded">;
  /** shared with the sweep, so that a run is never copied and removed at once */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly restoreRow: RestoreRow;
  readonly now: () => number;
}

/** Marks of sealed runs. */
export interface Keeper {
  /**
   * Adds marks and removals. Resolves to the new row once the run is stored in its new class. Those that the run has already
   * change nothing. Rejects with `NO_OBJECT` if the run is not sealed, or has expired; with `FENCED` if the caller no longer owns what
   * `fence` stands for.
   */
  mark(tenant: string, run: string, changes: readonly MarkChange[], fence?: Fence | null): Promise<RunRow>;
  /** The marks and removals of the newest revision. Rejects with `NO_OBJECT` if the run is not sealed, or has expired. */
  marksOf(tenant: string, run: string): Promise<MarkList>;
  /** Resolves when no mark of the run is being written, so that the next revision is sealed with all of them. */
  quiet(tenant: string, run: string): Promise<void>;
}

interface Newest {
  readonly current: RunRow;
  readonly part: RunPart;
  readonly entry: PackEntry;
}

/** A run may be moved or marked by other processes meanwhile: the mark is then added to what they made of it. */
const TRIES = 5;

/** Copies the run's frames to a pack of its own in its new class, with the marks in the receipt; then changes its row. */
export function createKeeper(deps: KeeperDeps): Keeper {
  const { store, catalog, policy, times, intents, pruner, alone, now, restoreRow } = deps;
  const saying = new Map<string, Promise<unknown>>();

  async function newest(tenant: string, run: string): Promise<Newest> {
    const sealed = await readNewest(catalog, { tenant, run }, (part) => packEntryOf(store, run, part), restoreRow);
    if (!sealed) throw new StoreError("NO_OBJECT", `run ${run}`, "it is not sealed");
    const { row: current, part, found: entry } = sealed;
    if (!entry) throw new StoreError("NO_OBJECT", `run ${run}`, `is not in ${part.key}`);
    return { current, part, entry };
  }

  async function mark(...[tenant, run, more, fence]: Parameters<Keeper["mark"]>): Promise<RunRow> {
    for (let tried = 1; ; tried++) {
      try {
        return await markNewest(await newest(tenant, run), more, fence ? { fence } : {});
      } catch (error) {
        if (!(error instanceof CatalogError) || error.code !== "CONFLICT" || tried === TRIES) throw error;
      }
    }
  }

  async function markNewest(
    found: Newest,
    more: readonly MarkChange[],
    fenced: { readonly fence?: Fence },
  ): Promise<RunRow> {
    const { current, part, entry } = found;
    const before = markListOf(entry);
    const list = joinMarks(before, more);
    if (countOf(list) === countOf(before)) return agreeing(found, fenced);

    const bytes = await store.getRange(part.key, entry.offset, entry.length);
    const { manifest } = readManifest(bytes);
    const marks = standingMarks(list);
    const floor = floorOf(entry.receipt, current);
    const takesBack = list.removed.length > before.removed.length;
    const chosen = chooseClass({ manifest, marks, inDoubt: takesBack }, policy);
    // a mark never lowers the class; the removal of one lowers it to that without the mark, at least the floor
    const least = takesBack ? { ...floor, rule: floor.rule ?? null } : current;
    const to = longerClass(chosen.class, least.class);
    const rule = to === least.class && chosen.rule !== "pinned" ? least.rule : (chosen.rule ?? null);
    const receipt: PackReceipt = { ...entry.receipt, ...receiptOf(list), floor, rule: rule ?? "" };
    const flags = flagsOf(manifest, marks);
    const placed = await place(found, bytes, { to, receipt, flags });
    const changed: RunRow = { ...current, class: to, rule, flags, parts: [{ ...part, ...placed }] };
    try {
      await catalog.apply({ upsert: [{ row: changed, ifPart: part }], ...fenced });
    } catch (error) {
      // refused: nothing has to be done for this copy after a crash
      if (error instanceof CatalogError && (error.code === "CONFLICT" || error.code === "FENCED"))
        await intents.done(placed.key);
      throw error;
    }
    await intents.done(placed.key);
    pruner.superseded(leftBehind(found, placed.key));
    return changed;
  }

  /** Corrects the row, if a crash or a failing catalog kept it from being written after the pack. */
  async function agreeing(
    { current, part, entry: { flags, receipt } }: Newest,
    fenced: { readonly fence?: Fence },
  ): Promise<RunRow> {
    const rule = receipt.rule === undefined ? current.rule : receipt.rule || null;
    const changed: RunRow = { ...current, flags, rule };
    if (isDeepStrictEqual(changed, current)) return current;
    await catalog.apply({ upsert: [{ row: changed, ifPart: part }], ...fenced });
    return changed;
  }

  /** Puts the copy into the store. Notes on disk what the next start has to do if the row is not changed afterwards. */
  async function place(
    found: Newest,
    from: Uint8Array,
    copy: { readonly to: RetentionClass; readonly receipt: PackReceipt; readonly flags: readonly string[] },
  ): Promise<{ key: string; offset: number; length: number }> {
    const { current, part } = found;
    const { tenant, run } = current;
    const { to, flags } = copy;
    const isLowered = RANK[to] < RANK[current.class];
    const receipt = isLowered ? lowered(copy.receipt, to) : withEarlier(await withoutGone(copy.receipt), part.key);
    const { bytes, header } =
      readHeader(from).class === to ? { bytes: from, header: readHeader(from) } : reclassEnvelope(from, to);
    const { manifest } = readManifest(bytes);
    // flags of the manifest among them
    const builder = new PackBuilder({ class: to, tenant, day: receiptDay(receipt) });
    const entry = builder.add({ header, manifest, length: bytes.length, receipt, flags });
    // a copy with other marks is another object: two collectors that mark a run at once must not overwrite what the other one has committed
    const { key, footer } = builder.finish(marksName(receipt));
    // before the pack is put: after a crash nothing else names the copies that have to go
    await pruner.note(leftBehind(found, key));
    await intents.note(key);
    await store.put(key, Buffer.concat([bytes, footer]));
    // once the new copy is stored: from here on the earlier copies are void
    if (isLowered) await store.put(loweredKey(tenant, run, copyOf(entry, to)), Buffer.from("{}"));
    return { key, offset: entry.offset, length: entry.length };
  }

  /** Without the earlier packs that were removed since: each mark makes a copy of its own, and the list would grow with all of them. */
  async function withoutGone({ earlier = [], ...receipt }: PackReceipt): Promise<PackReceipt> {
    const heads = await Promise.all(earlier.map((key) => store.head(key)));
    const left = earlier.filter((_, n) => heads[n] !== null);
    return { ...receipt, ...(left.length > 0 && { earlier: left }) };
  }

  /** Lets the time of the lower class start later: it may have passed while the run was kept. */
  function lowered(of: PackReceipt, to: RetentionClass): PackReceipt {
    const { earlier: _, ...receipt } = of;
    const countFrom = Math.max(countFromFor(to, now(), times) ?? 0, receipt.countFrom ?? 0);
    return countFrom > receipt.last ? { ...receipt, countFrom } : receipt;
  }

  return {
    mark(tenant, run, changes, fence) {
      const key = `${tenant}/${run}`;
      const mine = alone(() => mark(tenant, run, changes, fence)).finally(() => {
        if (saying.get(key) === mine) saying.delete(key);
      });
      saying.set(key, mine);
      return mine;
    },
    marksOf: async (tenant, run) => markListOf((await newest(tenant, run)).entry),
    async quiet(tenant, run) {
      await saying.get(`${tenant}/${run}`)?.catch(() => {});
    },
  };
}

/** Packs with copies that are not needed once the one in `key` is the run's. */
function leftBehind({ part, entry }: Newest, key: string): string[] {
  const least = rankOf(key);
  const others = new Set([part.key, ...(entry.receipt.earlier ?? [])]);
  // what expires earlier goes by itself
  return [...others].filter((each) => each !== key && rankOf(each) >= least);
}

const marksName = (receipt: PackReceipt): string =>
  changesOf(markListOf({ run: "", receipt }))
    .map((change) => (isRemoval(change) ? `-${change.mark}` : change.id))
    .toSorted()
    .join("\n");

const rankOf = (key: string): number => RANK[parsePackKey(key)?.class ?? "short"];

/** Adds the pack to `earlier` in the receipt, if it is kept longer than the class that the run may come back into. */
export function withEarlier(receipt: PackReceipt, key: string): PackReceipt {
  if (receipt.floor === undefined || rankOf(key) <= RANK[receipt.floor.class]) return receipt;
  return { ...receipt, earlier: [...new Set([...(receipt.earlier ?? []), key])] };
}
