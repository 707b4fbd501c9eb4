import type { ScrubHint } from "@reenact/capture";
import { mapTexts } from "@reenact/envelope/transfer";
import type { DestinationPolicy } from "@reenact/redaction";
import { environment } from "../config.ts";
import { loadScopeScrubber } from "../scope-scrubber.ts";

/** Attributes that hold a whole body: it is taken apart by its own names. Others are places by their names. */
const BODIES = new Set(["input.value", "output.value"]);

/**
 * Applies a policy to an ExportTraceServiceRequest that was redacted before. Tokens come from the key of the project, so
 * a value has the same one as in the record. Throws where there is no key.
 */
export function traceRedaction(policy: DestinationPolicy, store: string): (body: Uint8Array) => Uint8Array {
  const found = loadScopeScrubber({ env: environment(), folder: store, configFile: null, policy });
  if ("error" in found) throw new Error(found.error);
  const { scrubber } = found;
  const hintOf = (key: string): ScrubHint => {
    if (key === "" || BODIES.has(key)) return {};
    const place = key.replaceAll(".", "/");
    return { key: scrubber.denies?.(place) === true ? place : key };
  };
  return (body) => mapTexts(body, (text, key) => scrubber.scrub(text, hintOf(key)).text);
}
