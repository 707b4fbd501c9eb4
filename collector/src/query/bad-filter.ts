import { CatalogError } from "../catalog/catalog-error.ts";

/** `at` counts characters from 0. */
export const badFilter = (why: string, at: number) =>
  new CatalogError("BAD_FILTER", `${why} (character ${at + 1} of the filter)`, { at });
