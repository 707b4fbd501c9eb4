import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

/** Version of this package, which is found from the sources and from the built files alike. */
export const version = (JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, "utf8")) as { version: string })
  .version;
