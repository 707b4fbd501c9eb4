import { EnvelopeError } from "@reenact/envelope";
import { CatalogError } from "../catalog/catalog-error.ts";
import { StoreError } from "../store/store-error.ts";

/** Not `NO_OBJECT`: what is missing was removed by somebody else, which is no fault of the run. */
const OF_OBJECT: readonly string[] = ["BAD_KEY", "BAD_RANGE", "DAMAGED"];

/**
 * A pack fails so each time, and other packs do not: a value that the catalog does not take, other bytes in the store than the name of the
 * pack says, a fault of ours in reading a run. All else may pass, and is waited for.
 */
export function isOfRun(error: unknown): boolean {
  if (error instanceof CatalogError) return error.code === "REFUSED";
  if (error instanceof StoreError) return OF_OBJECT.includes(error.code);
  return error instanceof EnvelopeError || error instanceof TypeError || error instanceof RangeError;
}
