import type { CatalogChange, ExpectedPart } from "./catalog.ts";
import { CatalogError, fenced } from "./catalog-error.ts";
import type { RunRow } from "./run-row.ts";

type Upsert = NonNullable<CatalogChange["upsert"]>[number];
type Removal = NonNullable<CatalogChange["remove"]>[number];
type Stored = RunRow | null | undefined;

/** Whether the row would take the place of other spans, or of another copy than its caller has read; see `CatalogChange.upsert`. */
export function isInConflict({ row, isNew, ifPart }: Upsert, stored: Stored): boolean {
  if (ifPart === null ? stored : ifPart && !isAt(stored, ifPart)) return true;
  if (isNew !== true || !stored || stored.revision < row.revision) return false;
  return stored.revision > row.revision || stored.parts.at(-1)?.content !== row.parts.at(-1)?.content;
}

/** Whether another copy would be removed than the one that the caller has read. */
export const isRemovalInConflict = ({ ifPart }: Removal, stored: Stored): boolean =>
  ifPart !== undefined && Boolean(stored) && !isAt(stored, ifPart);

function isAt(stored: Stored, { key, offset }: ExpectedPart): boolean {
  const part = stored?.parts.at(-1);
  return part?.key === key && part.offset === offset;
}

/** What became of a change; all but `applied` left everything as it was. */
export type ChangeOutcome = "applied" | "fenced" | "conflict";

/** Throws what the outcome means, unless it was applied. */
export function assertApplied(outcome: ChangeOutcome | undefined, { fence }: Pick<CatalogChange, "fence">): void {
  if (outcome === "fenced" && fence) throw fenced(fence);
  if (outcome === "conflict")
    throw new CatalogError(
      "CONFLICT",
      "the catalog has a run's revision with other spans, a later one, or another copy of it",
    );
}
