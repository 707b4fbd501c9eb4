import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The version of the package that a file in `folder` would load; null: none is there, or its package.json has no version. */
export function installedVersion(folder: string, name: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { version } = JSON.parse(readFileSync(join(at, "node_modules", name, "package.json"), "utf8")) as {
        version?: unknown;
      };
      return typeof version === "string" ? version : null;
    } catch {
      // not here
    }
    if (dirname(at) === at) return null;
  }
}
