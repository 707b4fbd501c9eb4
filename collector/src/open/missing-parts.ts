import { type CatalogMissing, progressText } from "./bring-catalog.ts";
import type { StorePart } from "./bring-store.ts";

const STORE = {
  trying: "the store is being tried",
  away: "the store does not answer; it is tried again",
  asking: "the store belonged to another collector, which is asked whether it still runs",
} as const;
const CATALOG = {
  opening: "the catalog is not open yet",
  waiting: "the catalog is to be made again from the packs, which waits for the store",
  away: "the catalog's database does not answer; it is tried again",
  rebuilding: "the catalog is being made again from the packs",
} as const;

/** One line for each part that is not there. They are shown without a key, so they have no addresses and no errors. */
export function missingParts(
  store: ReturnType<StorePart["missing"]>,
  catalog: CatalogMissing | null,
  sealing: boolean,
): string[] {
  const lines: string[] = [];
  if (store !== null) lines.push(STORE[store.phase]);
  if (catalog !== null) lines.push(CATALOG[catalog.phase] + progressText(catalog.progress));
  if (sealing && lines.length === 0)
    lines.push("packs that an earlier process left are being entered into the catalog");
  return lines;
}
