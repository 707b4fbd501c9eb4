import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CollectorConfig } from "../config-schema.ts";
import type { Catalog, CatalogAddress, CatalogReader } from "./catalog.ts";
import { CatalogError } from "./catalog-error.ts";
import { openSqliteCatalog } from "./drivers/sqlite.ts";
import { moveDatabase, putAsideDatabase, removeDatabase } from "./drivers/sqlite-files.ts";
import { openSqliteReader } from "./drivers/sqlite-reader.ts";

/** The catalog that the settings name. */
export const catalogAddress = ({ data }: Pick<CollectorConfig, "data">): CatalogAddress => ({
  driver: "sqlite",
  file: join(data, "catalog.sqlite"),
});

/** Another catalog beside it, to be made before it takes its place. */
export const draftOf = ({ driver, file }: CatalogAddress): CatalogAddress => ({ driver, file: `${file}.new` });

/** Throws `CatalogError`: `DAMAGED`, `UNUSABLE`, `NEWER_CATALOG`. */
export const openCatalog = (address: CatalogAddress): Promise<Catalog> => openSqliteCatalog(address);

/** null: there is none, or it cannot be opened. */
export async function openCatalogIfThere(address: CatalogAddress): Promise<Catalog | null> {
  if (!existsSync(address.file)) return null;
  try {
    return await openCatalog(address);
  } catch (error) {
    if (error instanceof CatalogError) return null;
    throw error;
  }
}

/** Reads beside the collector's own connection, on the calling thread. */
export const openCatalogReader = (address: CatalogAddress): CatalogReader & { close(): void } =>
  openSqliteReader(address.file);

/** Puts a closed catalog in the place of another one. */
export const replaceCatalog = (old: CatalogAddress, by: CatalogAddress): void => moveDatabase(by.file, old.file);

export const removeCatalog = ({ file }: CatalogAddress): void => removeDatabase(file);

/** Keeps a damaged catalog under another name, which it returns, for an operator to look at. */
export const putAsideCatalog = ({ file }: CatalogAddress): string => putAsideDatabase(file);
