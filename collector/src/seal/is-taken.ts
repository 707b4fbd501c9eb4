import { CatalogError } from "../catalog/catalog-error.ts";
import { StoreError } from "../store/store-error.ts";

/** Another collector owns the store, or another process that part of the journal: nothing of it may be written here any more. */
export const isTaken = (error: unknown): boolean =>
  (error instanceof StoreError && error.code === "TAKEN") || (error instanceof CatalogError && error.code === "FENCED");
