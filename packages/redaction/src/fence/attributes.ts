import type { RedactingScrubber } from "../scrubber.ts";
import { blanked, blankedName, redactName, redactText, redactValue } from "./redact-value.ts";

/** Attributes whose text has a content type of its own, named by another attribute. */
const MIME_OF: Readonly<Record<string, string>> = {
  "input.value": "input.mime_type",
  "output.value": "output.mime_type",
};

export type Attributes = Record<string, unknown>;

/** All attributes, redacted, in an object of its own: the caller may still write into the other. A value that fails is blanked. */
export function redactedAttributes(attributes: Readonly<Attributes>, scrubber: RedactingScrubber): Attributes {
  const out: Attributes = {};
  for (const [key, value] of Object.entries(attributes)) {
    let redacted: unknown;
    let name = key;
    try {
      name = redactName(key, scrubber);
      const mime = MIME_OF[key] === undefined ? undefined : attributes[MIME_OF[key]];
      redacted =
        typeof value === "string" && typeof mime === "string"
          ? redactText(value, key, scrubber, mime)
          : redactValue(value, key, scrubber);
    } catch {
      redacted = blanked(value);
      name = blankedName(key);
    }
    out[name] = redacted;
  }
  return out;
}

export function blankedAttributes(attributes: Readonly<Attributes>): Attributes {
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [blankedName(key), blanked(value)]));
}
