import { live } from "@reenact/capture";
import type { InspectingScrubber, KeyOrigin, Policy, ScrubberOptions } from "@reenact/redaction";
import { checkedPolicy, loadConfigFile } from "./config-file.ts";
import { staysLocal } from "./stays-local.ts";
import { redactionPackage } from "./lazy-packages.ts";

export interface ScopeScrubber {
  readonly scrubber: InspectingScrubber;
  /** what it was made of */
  readonly options: ScrubberOptions;
  readonly origin: KeyOrigin;
}

/**
 * The scrubber of this project: its policy (given in code, else of the configuration file), its key, the secrets of
 * its environment. Never throws: `error` is one line, and nothing may be recorded then.
 */
export function loadScopeScrubber(from: {
  env: Readonly<Record<string, string | undefined>>;
  /** where a key may be kept that leaves the machine never */
  folder: string;
  configFile: string | null;
  policy: Policy | undefined;
  /** only to look: no key is made, and any will do */
  temporary?: boolean;
}): ScopeScrubber | { error: string } {
  return live(() => {
    const policy = policyOf(from.policy, from.configFile);
    if ("error" in policy) return policy;
    const { createScrubber, knownFromEnvironment, loadScopeKey } = redactionPackage();
    const found = loadScopeKey({
      env: from.env,
      folder: from.folder,
      loopback: staysLocal(from.env),
      temporary: from.temporary === true,
    });
    if ("error" in found) return found;
    try {
      const options = { key: found.key, known: knownFromEnvironment(from.env), policy: policy.policy };
      return { scrubber: createScrubber(options), options, origin: found.origin };
    } catch (error) {
      return { error: `redaction policy: ${error instanceof Error ? error.message : String(error)}` };
    }
  });
}

/** What is given in code comes before what stands in the file. */
function policyOf(given: Policy | undefined, configFile: string | null): { policy: Policy } | { error: string } {
  if (given !== undefined) {
    const read = checkedPolicy(given);
    return "error" in read ? { error: `redaction policy: ${read.error}` } : read;
  }
  const file = loadConfigFile(configFile);
  return "error" in file ? file : { policy: file.config.redaction ?? {} };
}
