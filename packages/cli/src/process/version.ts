import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

/** Version of this package. Works from the sources and from the built files, which lie at other depths. */
export const version = (JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, "utf8")) as { version: string })
  .version;
