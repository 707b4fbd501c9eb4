import { textOf } from "@reenact/envelope";
import { mapValues, type ValuePlace } from "@reenact/envelope/transfer";
import type { RedactingScrubber } from "../scrubber.ts";
import { redactName } from "./redact-value.ts";

/** Attributes that hold a whole body: it is taken apart by its own names. Others are places by their names. */
const BODIES = new Set(["input.value", "output.value"]);
/** Shorter ones are counts, and say nothing. */
const LEAST_NUMBER = 1000;

/**
 * An ExportTraceServiceRequest in which every value was redacted, on top of what was before: for a receiver with a policy of its own.
 * Places of the policy are those in the JSON of an attribute, and the names of attributes with slashes for their dots. Throws for what
 * is no such request: nothing of it may be sent then.
 */
export function redactTraces(body: Uint8Array, scrubber: RedactingScrubber): Uint8Array {
  const deniedPart = (path: string): string | undefined =>
    scrubber.denies === undefined ? undefined : beginnings(path).find((each) => scrubber.denies?.(each) === true);
  const scrubbed = (text: string, { key, path }: ValuePlace): string => {
    const denied = deniedPart(path);
    return scrubber.scrub(text, denied === undefined && (key === "" || BODIES.has(key)) ? {} : { key: denied ?? key })
      .text;
  };
  return mapValues(body, {
    text: scrubbed,
    bytes(bytes, place) {
      const text = textOf(bytes);
      if (text !== null) return Buffer.from(scrubbed(text, place));
      return deniedPart(place.path) === undefined ? bytes : Buffer.from(scrubbed(latin1(bytes), place));
    },
    number(number, { key, path }) {
      if (deniedPart(path) !== undefined) return 0;
      return number > -LEAST_NUMBER && number < LEAST_NUMBER ? number : numberUnder(key, number, scrubber);
    },
    truth: (truth, { path }) => truth && deniedPart(path) === undefined,
    name: (name) => redactName(name, scrubber),
  });
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** "a/b/c": "a", "a/b", "a/b/c". */
function beginnings(path: string): string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

/** A number under a secret or personal name is replaced as in JSON. */
function numberUnder(key: string, number: number | bigint, scrubber: RedactingScrubber): number | bigint {
  if (!Number.isFinite(Number(number))) return number;
  const written = String(number);
  const out = scrubber.scrub(`{${JSON.stringify(key)}:${written}}`, { mime: "application/json" }).text;
  const put = out.slice(out.lastIndexOf(":") + 1, -1);
  if (put === written) return number;
  if (!/^-?\d+(?:\.\d+)?$/.test(put)) return 0;
  return typeof number === "bigint" && /^-?\d+$/.test(put) ? BigInt(put) : Number(put);
}
