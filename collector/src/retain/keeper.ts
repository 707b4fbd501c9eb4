import { isDeepStrictEqual } from "node:util";
import { readHeader, readManifest } from "@reenact/envelope/file";
import { PackBuilder, packDay, type PackEntry, reclassEnvelope } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import type { Catalog } from "../catalog/catalog.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { packEntryOf, readNewest } from "../seal/read-newest.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { chooseClass, flagsOf, longerClass } from "./choose-class.ts";
import { joinMarks, type Mark } from "./mark.ts";
import { marksOf } from "./marks-of.ts";
import type { RetentionRule } from "./retention-rules.ts";

export interface KeeperDeps {
  readonly store: ObjectStore;
  readonly catalog: Pick<Catalog, "apply" | "get">;
  readonly policy: { readonly rules: readonly RetentionRule[]; readonly sampleShare: number };
  /** shared with the sweep, so that a run is never copied and removed at once */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What is said of a sealed run later. */
export interface Keeper {
  /**
   * Resolves when the run is safe in its class, to its row as it is then. Marks that it has already change nothing.
   * Rejects with `NO_OBJECT` if it is not sealed, or has expired before.
   */
  say(tenant: string, run: string, said: readonly Mark[]): Promise<RunRow>;
  /** What was said of the newest revision; none of a run that is not sealed. */
  marks(tenant: string, run: string): Promise<readonly Mark[]>;
  /** Resolves when nothing is being said of the run: who seals it again then, sees all of it. */
  quiet(tenant: string, run: string): Promise<void>;
}

/** Copies the run's frames to a pack of its own in its new class, with what was said in the entry; then changes its row. */
export function createKeeper(deps: KeeperDeps): Keeper {
  const { store, catalog, policy, alone } = deps;
  const saying = new Map<string, Promise<unknown>>();

  async function newest(tenant: string, run: string) {
    const sealed = await readNewest(catalog, { tenant, run }, (part) => packEntryOf(store, run, part));
    if (!sealed) throw new StoreError("NO_OBJECT", `run ${run}`, "it is not sealed");
    const { row: current, part, found: entry } = sealed;
    if (!entry) throw new StoreError("NO_OBJECT", `run ${run}`, `is not in ${part.key}`);
    return { current, part, entry };
  }

  async function mark(tenant: string, run: string, said: readonly Mark[]): Promise<RunRow> {
    const { current, part, entry } = await newest(tenant, run);
    const before = marksOf(entry);
    const marks = joinMarks(before, said);
    if (marks.length === before.length) return agreeing(current, entry);
    const bytes = await store.getRange(part.key, entry.offset, entry.length);
    const { manifest } = readManifest(bytes);
    const chosen = chooseClass({ manifest, marks }, policy);
    const to = longerClass(chosen.class, current.class);
    const rule = to === current.class && chosen.rule !== "pinned" ? current.rule : (chosen.rule ?? null);
    const placed = await copy(tenant, bytes, to, { ...entry.receipt, marks, ...(rule !== null && { rule }) });
    const flags = flagsOf(manifest, marks);
    const changed: RunRow = { ...current, class: to, rule, flags, parts: [{ ...part, ...placed }] };
    await catalog.apply({ upsert: [{ row: changed }] });
    return changed;
  }

  /** A crash, or a catalog that failed, may have come between the pack and the row: then the row is made good. */
  async function agreeing(current: RunRow, { flags, receipt }: PackEntry): Promise<RunRow> {
    const changed: RunRow = { ...current, flags, rule: receipt.rule ?? current.rule };
    if (isDeepStrictEqual(changed, current)) return current;
    await catalog.apply({ upsert: [{ row: changed }] });
    return changed;
  }

  /** Replaces an earlier copy of the same revision: that one has fewer marks and the same run. */
  async function copy(
    tenant: string,
    from: Uint8Array,
    to: RetentionClass,
    receipt: PackEntry["receipt"] & { marks: Mark[] },
  ): Promise<{ key: string; offset: number; length: number }> {
    const { bytes, header } =
      readHeader(from).class === to ? { bytes: from, header: readHeader(from) } : reclassEnvelope(from, to);
    const builder = new PackBuilder({ class: to, tenant, day: packDay(receipt.last) });
    const { manifest } = readManifest(bytes);
    const { offset, length } = builder.add({
      header,
      manifest,
      length: bytes.length,
      receipt,
      flags: flagsOf(manifest, receipt.marks),
    });
    const { key, footer } = builder.finish();
    await store.put(key, Buffer.concat([bytes, footer]));
    return { key, offset, length };
  }

  return {
    say(tenant, run, said) {
      const key = `${tenant}/${run}`;
      const mine = alone(() => mark(tenant, run, said)).finally(() => {
        if (saying.get(key) === mine) saying.delete(key);
      });
      saying.set(key, mine);
      return mine;
    },
    marks: async (tenant, run) => marksOf((await newest(tenant, run)).entry),
    async quiet(tenant, run) {
      await saying.get(`${tenant}/${run}`)?.catch(() => {});
    },
  };
}
