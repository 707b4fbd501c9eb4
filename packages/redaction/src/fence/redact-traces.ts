import { textOf } from "@reenact/envelope";
import { mapValues, type ValuePlace } from "@reenact/envelope/transfer";
import type { RedactingScrubber } from "../scrubber.ts";
import { shortestNumber } from "../structure/leaf-names.ts";
import { redactName } from "./redact-value.ts";

/** Attributes that hold a whole body: their texts are judged by the names inside. Other texts are judged by the attribute's name. */
const BODIES = new Set(["input.value", "output.value"]);

/**
 * Redacts every value of an ExportTraceServiceRequest for a receiver with a policy of its own; tokens of an earlier
 * redaction stay. Paths of the policy are those in the JSON of an attribute, and the names of attributes with slashes for
 * their dots. Throws if the bytes are no such request: nothing of them may be sent then.
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
    bytes(bytes, field) {
      const text = textOf(bytes);
      if (text !== null) return Buffer.from(scrubbed(text, field));
      return deniedPart(field.path) === undefined ? bytes : Buffer.from(scrubbed(latin1(bytes), field));
    },
    number(number, { key, path }) {
      if (deniedPart(path) !== undefined) return 0;
      const least = 10 ** (shortestNumber(key) - 1);
      return number > -least && number < least ? number : numberUnder(key, number, scrubber);
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
