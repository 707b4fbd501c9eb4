import type { Scrubber } from "@reenact/capture";
import type { Policy, ScrubberOptions } from "@reenact/redaction";
import { backgroundScrubber } from "../background-scrubber.ts";
import { type Config, environment } from "../config.ts";
import type { ScopeScrubber } from "../scope-scrubber.ts";
import { redactionPackage } from "../lazy-packages.ts";
import { staysLocal } from "../stays-local.ts";
import { type RecordingVault, recordingVault } from "./recording-vault.ts";
import { vaultSettings } from "./vault-settings.ts";

/** The vault of a recorder. `scope`: what its scrubber is made of, known when the first run is born. */
export function startVault(store: string, config: Config, scope: () => ScopeScrubber | null): RecordingVault {
  return recordingVault(() => {
    const settings = vaultSettings(config);
    const found = scope();
    const isLocal = staysLocal(environment());
    if (settings === null || found === null || (!isLocal && settings.recipient === null)) return null;
    const { PERSONAL_TYPES } = redactionPackage();
    const { recipient, days, types } = settings;
    // a digest is a token where its body was redacted; of a body with a secret it stays one
    const keeps = new Set<string>([...PERSONAL_TYPES, ...types, "DIGEST"]);
    return { store, recipient, days, keeps, local: isLocal, scrubber: () => secretsScrubber(found, keeps) };
  });
}

/** Finds what the recorder's scrubber finds, but for what may be kept. */
function secretsScrubber(
  { options, detectors }: ScopeScrubber,
  keeps: ReadonlySet<string>,
): Scrubber & { close?(): void } {
  const { createScrubber, PERSONAL_TYPES } = redactionPackage();
  const policy: Policy = options.policy ?? {};
  const mayStay = ({ type }: { type: string }): boolean => !keeps.has(type);
  const secrets: ScrubberOptions = {
    ...options,
    ...(detectors === null ? {} : { desk: detectors }),
    policy: {
      ...policy,
      off: [...(policy.off ?? []), ...PERSONAL_TYPES],
      patterns: (policy.patterns ?? []).filter(mayStay),
      detectors: (policy.detectors ?? []).filter(mayStay),
    },
  };
  const scrubber = createScrubber(secrets);
  return detectors === null ? backgroundScrubber(scrubber, secrets) : scrubber;
}
