import type { RedactingScrubber } from "../scrubber.ts";
import { blanked, redactText, redactValue } from "./redact-value.ts";

/** Attributes whose text has a content type of its own, named by another attribute. */
const MIME_OF: Readonly<Record<string, string>> = {
  "input.value": "input.mime_type",
  "output.value": "output.mime_type",
};

export type Attributes = Record<string, unknown>;

/** New values for the attributes that must change; an empty object when none must. A value that fails is blanked. */
export function attributeChanges(attributes: Readonly<Attributes>, scrubber: RedactingScrubber): Attributes {
  const changes: Attributes = {};
  for (const [key, value] of Object.entries(attributes)) {
    let redacted: unknown;
    try {
      const mime = MIME_OF[key] === undefined ? undefined : attributes[MIME_OF[key]];
      redacted =
        typeof value === "string" && typeof mime === "string"
          ? redactText(value, key, scrubber, mime)
          : redactValue(value, key, scrubber);
    } catch {
      redacted = blanked(value);
    }
    if (redacted !== value) changes[key] = redacted;
  }
  return changes;
}

export function blankedAttributes(attributes: Readonly<Attributes>): Attributes {
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, blanked(value)]));
}
