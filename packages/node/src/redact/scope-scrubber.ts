import { live } from "@reenact/capture/recorder";
import type { InspectingScrubber, KeyOrigin, Policy, ScrubberOptions } from "@reenact/redaction";
import { checkedPolicy, loadConfigFile } from "../config/config-file.ts";
import { type DetectorThread, detectorThread } from "./detector-thread.ts";
import { redactionPackage } from "../own-code/lazy-packages.ts";
import { ENDLESS, type WaitBudget } from "./wait-budget.ts";
import { staysLocal } from "../send/stays-local.ts";

export interface ScopeScrubber {
  readonly scrubber: InspectingScrubber;
  /** what it was made of */
  readonly options: ScrubberOptions;
  readonly origin: KeyOrigin;
  /** one line that says that the key was derived from a passphrase; null: it was not */
  readonly passphrase: string | null;
  /** where its asynchronous detectors run; null: it has none */
  readonly detectors: DetectorThread | null;
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
  /** how long this thread may stand still for asynchronous detectors; default: as long as they may take */
  waitBudget?: Pick<WaitBudget, "left" | "spent">;
}): ScopeScrubber | { error: string } {
  return live(() => {
    const policy = policyOf(from.policy, from.configFile);
    if ("error" in policy) return policy;
    const { createScrubber, DETECTOR_MS, knownFromEnvironment, loadScopeKey } = redactionPackage();
    const waits = policy.policy.detectors?.some((each) => !("find" in each)) === true;
    if (waits && policy.path === null) return { error: ONLY_FROM_FILES };
    const found = loadScopeKey({
      env: from.env,
      folder: from.folder,
      loopback: staysLocal(from.env),
      temporary: from.temporary === true,
    });
    if ("error" in found) return found;
    let detectors: DetectorThread | null = null;
    try {
      const options = { key: found.key, known: knownFromEnvironment(from.env), policy: policy.policy };
      const { waitBudget = ENDLESS, env } = from;
      const ms = policy.policy.detectorMs ?? DETECTOR_MS;
      if (waits && policy.path !== null) detectors = detectorThread({ configFile: policy.path, ms, env, waitBudget });
      const queue = detectors === null ? {} : { queue: detectors };
      return {
        scrubber: createScrubber({ ...options, ...queue }),
        options,
        origin: found.origin,
        passphrase: found.passphrase,
        detectors,
      };
    } catch (error) {
      detectors?.close();
      return { error: `redaction policy: ${error instanceof Error ? error.message : String(error)}` };
    }
  });
}

const ONLY_FROM_FILES =
  "the redaction policy has asynchronous detectors: they run on a thread of their own, so the policy must stand in reenact.config.ts or .mjs";

/** What is given in code comes before what stands in the file, of which the path is kept. */
function policyOf(
  given: Policy | undefined,
  configFile: string | null,
): { policy: Policy; path: string | null } | { error: string } {
  if (given !== undefined) {
    const read = checkedPolicy(given);
    return "error" in read ? { error: `redaction policy: ${read.error}` } : { ...read, path: null };
  }
  const file = loadConfigFile(configFile);
  return "error" in file ? file : { policy: file.config.redaction ?? {}, path: file.path };
}
