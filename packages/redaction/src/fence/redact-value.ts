import { textOf } from "@reenact/envelope";
import type { RedactingScrubber } from "../scrubber.ts";

const DEEPEST = 16;

/** One attribute value of any kind, redacted; the very same value when nothing had to change. Never throws. */
export function redactValue(
  value: unknown,
  key: string,
  scrubber: RedactingScrubber,
  depth = 0,
  path: string = key,
): unknown {
  if (scrubber.denies?.(path) === true) return deniedValue(value, path, scrubber, depth);
  if (typeof value === "string") return redactText(value, key, scrubber);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "UNSCANNED_0";
  if (value instanceof Uint8Array) return redactBytes(value, key, scrubber);
  if (ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) {
    const out = value.map((item) => redactValue(item, key, scrubber, depth + 1, path));
    return out.every((item, i) => item === value[i]) ? value : out;
  }
  const entries = Object.entries(value);
  const out = entries.map(
    ([name, item]) =>
      [redactName(name, scrubber), redactValue(item, name, scrubber, depth + 1, `${path}/${name}`)] as const,
  );
  const isSame = out.every(([name, item], i) => item === entries[i]?.[1] && name === entries[i]?.[0]);
  return isSame ? value : Object.fromEntries(out);
}

/** The value of a denied path and all below it: texts and bytes become tokens, numbers 0, truth values false. */
function deniedValue(value: unknown, path: string, scrubber: RedactingScrubber, depth: number): unknown {
  if (typeof value === "string") return redactText(value, path, scrubber);
  if (typeof value === "number") return 0;
  if (typeof value === "boolean") return false;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "UNSCANNED_0";
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return new TextEncoder().encode(redactText(textOf(bytes) ?? bytes.toString("latin1"), path, scrubber));
  }
  if (Array.isArray(value)) return value.map((item) => deniedValue(item, path, scrubber, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      PLAIN_NAME.test(name) ? name : redactText(name, path, scrubber),
      deniedValue(item, path, scrubber, depth + 1),
    ]),
  );
}

/** Words in dots, and indices: the names that conventions give, which hold nothing and must stay. */
const PLAIN_NAME = /^(?:[A-Za-z_]{1,40}|\d{1,4})(?:[.-](?:[A-Za-z_]{1,40}|\d{1,4}))*$/;

/** The name of an attribute, which may be made of data. */
export function redactName(name: string, scrubber: RedactingScrubber): string {
  return PLAIN_NAME.test(name) ? name : redactText(name, "", scrubber);
}

export function blankedName(name: string): string {
  return PLAIN_NAME.test(name) ? name : `UNSCANNED_${name.length}`;
}

export function redactText(text: string, key: string, scrubber: RedactingScrubber, mime?: string): string {
  if (scrubber.alreadyRedacted.has(text, { key, mime })) return text;
  return scrubber.scrub(text, { key, mime }).text;
}

function redactBytes(bytes: Uint8Array, key: string, scrubber: RedactingScrubber): Uint8Array {
  const text = textOf(bytes);
  if (text === null) return bytes;
  const redacted = redactText(text, key, scrubber);
  return redacted === text ? bytes : new TextEncoder().encode(redacted);
}

/** What stands for a value that could not be looked at. Numbers and truth values say nothing and stay. */
export function blanked(value: unknown): unknown {
  if (typeof value === "string") return /^UNSCANNED_\d+$/.test(value) ? value : `UNSCANNED_${value.length}`;
  if (Array.isArray(value)) return value.map(blanked);
  if (typeof value === "object" && value !== null) return "UNSCANNED_0";
  return value;
}
