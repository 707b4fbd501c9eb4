import { PROVIDERS } from "@reenact/providers";
import { installedVersion } from "./installed-version.ts";

/** Versions of the provider SDKs that a file in `folder` would load. */
export function sdkVersions(folder: string): Record<string, string> {
  const out: Record<string, string> = {};
  for (const { package: name } of PROVIDERS.flatMap(({ sdks }) => sdks)) {
    const version = installedVersion(folder, name);
    if (version !== null) out[name] = version;
  }
  return out;
}
