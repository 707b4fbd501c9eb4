import { createHash } from "node:crypto";

/** Values that are texts in a step, by what such a text looks like. */
const TEXTS: Readonly<Record<string, RegExp>> = {
  $oid: /^[0-9a-f]{24}$/i,
  $numberLong: /^-?\d+$/,
  $numberDecimal: /^[-+]?(?:[\d.]+(?:E[-+]?\d+)?|Infinity|NaN)$/i,
};

/** tokens of redaction, by the value that stands for each in this process */
const tokens = new Map<string, string>();

/** Where redaction has replaced the text of an id or a number, one that stands for it, always the same. */
export function standsFor(value: object): object {
  const [[type, text] = ["", null]] = Object.entries(value) as [string, unknown][];
  const form = TEXTS[type];
  if (form === undefined || typeof text !== "string" || form.test(text)) return value;
  const digest = createHash("sha256").update(text).digest("hex");
  const made = type === "$oid" ? digest.slice(0, 24) : String(Number.parseInt(digest.slice(0, 12), 16));
  tokens.set(`${type} ${made}`, text);
  return { [type]: made };
}

/** The token again, where the program sends the value that stands for it. */
export function shownAgain(value: unknown): unknown {
  if (tokens.size === 0) return value;
  const [[type, text] = ["", null]] = Object.entries(value as object) as [string, unknown][];
  const token = tokens.get(`${type} ${String(text)}`);
  return token === undefined ? value : { [type]: token };
}
