import { hash } from "node:crypto";
import type { RetentionClass } from "../schema/manifest.ts";

/** Every object of a pack lies below it. */
export const RUNS_PREFIX = "v1/runs/";

/**
 * Of its runs and revisions, in whatever order: 64 hex digits. `copy` tells packs apart that hold the same revisions with other receipts.
 */
export function packName(runs: readonly { readonly run: string; readonly revision: number }[], copy = ""): string {
  const lines = runs.map(({ run, revision }) => `${run} ${revision}\n`);
  return hash("sha256", lines.toSorted().join("") + copy);
}

/** Where a pack lies in an object store; `day` is `yyyy-mm-dd`. */
export function packKey(place: { class: RetentionClass; tenant: string; day: string; name: string }): string {
  return `${RUNS_PREFIX}${place.class}/${place.tenant}/${place.day.replaceAll("-", "/")}/${place.name}`;
}

/** The UTC day of a time in milliseconds. */
export const packDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The parts of a key, or null: it is none of a pack. */
export function parsePackKey(key: string): { class: RetentionClass; tenant: string; day: string; name: string } | null {
  const parts =
    /^v1\/runs\/(short|sample|keep)\/([A-Za-z0-9_-]{1,64})\/([0-9]{4})\/([0-9]{2})\/([0-9]{2})\/([0-9a-f]{64})$/.exec(
      key,
    );
  if (!parts) return null;
  const [, retention, tenant, year, month, date, name] = parts;
  return { class: retention as RetentionClass, tenant: tenant!, day: `${year}-${month}-${date}`, name: name! };
}
