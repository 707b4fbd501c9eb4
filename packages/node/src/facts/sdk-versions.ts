import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROVIDERS } from "@reenact/providers";

/** Versions of the provider SDKs that a file in `folder` would load. */
export function sdkVersions(folder: string): Record<string, string> {
  const out: Record<string, string> = {};
  for (const { package: name } of PROVIDERS.flatMap(({ sdks }) => sdks)) {
    const version = versionFrom(folder, name);
    if (version !== null) out[name] = version;
  }
  return out;
}

function versionFrom(folder: string, name: string): string | null {
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
