import type { CatalogChange } from "./catalog.ts";
import { CatalogError, fenced } from "./catalog-error.ts";
import type { RunRow } from "./run-row.ts";

/** Whether a row that is put as new would take the place of other spans; see `CatalogChange.upsert`. */
export function isInConflict(
  { row, isNew }: NonNullable<CatalogChange["upsert"]>[number],
  stored: RunRow | null | undefined,
): boolean {
  if (isNew !== true || !stored || stored.revision < row.revision) return false;
  return stored.revision > row.revision || stored.parts.at(-1)?.content !== row.parts.at(-1)?.content;
}

/** What became of a change; all but `applied` left everything as it was. */
export type ChangeOutcome = "applied" | "fenced" | "conflict";

/** Throws what the outcome means, unless it was applied. */
export function assertApplied(outcome: ChangeOutcome | undefined, { fence }: Pick<CatalogChange, "fence">): void {
  if (outcome === "fenced" && fence) throw fenced(fence);
  if (outcome === "conflict")
    throw new CatalogError("CONFLICT", "the catalog has a run's revision with other spans, or a later one");
}
