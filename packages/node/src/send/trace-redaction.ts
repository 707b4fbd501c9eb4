import type { DestinationPolicy } from "@reenact/redaction";
import { environment } from "../config/config.ts";
import { redactionPackage } from "../own-code/lazy-packages.ts";
import { loadScopeScrubber } from "../redact/scope-scrubber.ts";

/**
 * Applies a policy to an ExportTraceServiceRequest that was redacted before. Tokens come from the key of the project, so
 * a value has the same one as in the record. Throws where there is no key.
 */
export function traceRedaction(policy: DestinationPolicy, store: string): (body: Uint8Array) => Uint8Array {
  const found = loadScopeScrubber({ env: environment(), folder: store, configFile: null, policy });
  if ("error" in found) throw new Error(found.error);
  const { scrubber } = found;
  return (body) => redactionPackage().redactTraces(body, scrubber);
}
