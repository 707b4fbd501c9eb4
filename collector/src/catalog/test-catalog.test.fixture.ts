import { hash } from "node:crypto";
import { dirname } from "node:path";
import { collectorConfig, type CollectorConfig } from "../config-schema.ts";
import type { CatalogAddress } from "./catalog.ts";
import { catalogAddress } from "./open-catalog.ts";

/** A database in which tests make catalogs, `postgres://…`; absent: they make files. `test/services` sets it. */
export const TEST_DATABASE = process.env["REENACT_TEST_CATALOG"];

/** Settings of a catalog: a file in the folder of the data, or a schema of the database that is named after `name`. */
export function catalogSettings(name: string): CollectorConfig["catalog"] {
  const schema = `t_${hash("sha256", name).slice(0, 24)}`;
  const catalog = TEST_DATABASE === undefined ? {} : { url: TEST_DATABASE, schema, connections: 2 };
  return collectorConfig.parse({ catalog }).catalog;
}

/** The catalog of a test: the file, or a schema that is named after it. */
export function testCatalog(file: string): CatalogAddress {
  const address = catalogAddress({ data: dirname(file), catalog: catalogSettings(file) });
  return address.driver === "sqlite" ? { ...address, file } : address;
}
