import { readHeader, readManifest } from "@reenact/envelope/file";
import { PackBuilder, packDay, type PackEntry, reclassEnvelope } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import type { Catalog } from "../catalog/catalog.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { readPackIndexFrom } from "../seal/read-packs.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { chooseClass, flagsOf, longerClass } from "./choose-class.ts";
import type { Mark } from "./mark.ts";
import { marksOf } from "./marks-of.ts";
import type { RetentionRule } from "./retention-rules.ts";

export interface KeeperDeps {
  readonly store: ObjectStore;
  readonly catalog: Pick<Catalog, "apply" | "get">;
  readonly policy: { readonly rules: readonly RetentionRule[]; readonly sampleShare: number };
  /** shared with the sweep, so that a run is never copied and removed at once */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly now?: () => number;
}

/** What is said of a sealed run later. Each resolves when the run is safe in its class, to its row as it is then. */
export interface Keeper {
  keep(row: RunRow, reason: string): Promise<RunRow>;
  flag(row: RunRow, reason: string): Promise<RunRow>;
  feedback(row: RunRow, said: { kind: "feedback" | "score"; name: string; value: number | string }): Promise<RunRow>;
}

/**
 * Copies the run's frames to a pack of its own in its new class, with what was said in the entry, and then changes its
 * row. Throws `StoreError` with `NO_OBJECT` if it has expired before.
 */
export function createKeeper(deps: KeeperDeps): Keeper {
  const { store, catalog, policy, alone, now = Date.now } = deps;

  function say(row: RunRow, said: Omit<Mark, "at">, pinned: string | null): Promise<RunRow> {
    return alone(async () => {
      const current = (await catalog.get(row.tenant, row.run)) ?? row;
      const part = current.parts.at(-1);
      if (!part) throw new StoreError("NO_OBJECT", `run ${row.run}`, "it is not sealed yet");
      const { runs } = await readPackIndexFrom(store, part.key);
      const entry = runs.find(({ run, revision }) => run === row.run && revision === part.revision);
      if (!entry) throw new StoreError("NO_OBJECT", `run ${row.run}`, `is not in ${part.key}`);
      const marks = [...marksOf(entry), { ...said, at: now() }];
      const bytes = await store.getRange(part.key, entry.offset, entry.length);
      const { manifest } = readManifest(bytes);
      const chosen =
        pinned === null ? chooseClass({ manifest, marks }, policy) : { class: "keep" as const, rule: pinned };
      const to = longerClass(chosen.class, current.class);
      const rule = to === current.class ? current.rule : (chosen.rule ?? null);
      const placed = await copy(current.tenant, bytes, to, {
        ...entry.receipt,
        marks,
        ...(rule !== null && { rule }),
      });
      const flags = flagsOf(manifest, marks);
      const changed: RunRow = { ...current, class: to, rule, flags, parts: [{ ...part, ...placed }] };
      await catalog.apply({ upsert: [{ row: changed }] });
      return changed;
    });
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
    keep: (row, reason) => say(row, { kind: "flag", name: reason }, "pinned"),
    flag: (row, reason) => say(row, { kind: "flag", name: reason }, null),
    feedback: (row, { kind, name, value }) => say(row, { kind, name, value }, null),
  };
}
