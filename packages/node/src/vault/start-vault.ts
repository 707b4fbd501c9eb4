import type { Policy, ScrubberOptions } from "@reenact/redaction";
import { type Config, environment } from "../config/config.ts";
import type { ScopeScrubber } from "../redact/scope-scrubber.ts";
import { redactionPackage } from "../own-code/lazy-packages.ts";
import { staysLocal } from "../send/stays-local.ts";
import { type RecordingVault, recordingVault } from "./recording-vault.ts";
import { vaultSettings } from "./vault-settings.ts";

/** The vault of a recorder. `scope`: what its scrubber is made of, known when the first run starts. */
export function startVault(store: string, config: Config, scope: () => ScopeScrubber | null): RecordingVault {
  return recordingVault(() => {
    const settings = vaultSettings(config);
    const found = scope();
    const isLocal = staysLocal(environment());
    if (settings === null || found === null || (!isLocal && settings.recipient === null)) return null;
    const { createScrubber, PERSONAL_TYPES } = redactionPackage();
    const { recipient, days, types } = settings;
    // a digest is a token where its body was redacted; of a body with a secret it stays one
    const keeps = new Set<string>([...PERSONAL_TYPES, ...types, "DIGEST"]);
    const secrets = secretsOptions(found, keeps);
    const isPlain = (found.options.policy?.detectors ?? []).length === 0;
    return {
      store,
      recipient,
      days,
      keeps,
      local: isLocal,
      scrubber: () => createScrubber(secrets),
      elsewhere: isPlain ? { secrets, keeps: [...keeps] } : null,
    };
  });
}

/** Of a scrubber that finds what the recorder's scrubber finds, but for what may be kept. */
function secretsOptions({ options, detectors }: ScopeScrubber, keeps: ReadonlySet<string>): ScrubberOptions {
  const { PERSONAL_TYPES } = redactionPackage();
  const policy: Policy = options.policy ?? {};
  const mayStay = ({ type }: { type: string }): boolean => !keeps.has(type);
  return {
    ...options,
    ...(detectors === null ? {} : { queue: detectors }),
    policy: {
      ...policy,
      off: [...(policy.off ?? []), ...PERSONAL_TYPES],
      patterns: (policy.patterns ?? []).filter(mayStay),
      detectors: (policy.detectors ?? []).filter(mayStay),
    },
  };
}
