import { beginsAsMedia } from "@reenact/envelope";

/**
 * JSON text of a value that JSON can hold; null for what it cannot, and for a getter or `toJSON` that throws. Bytes are
 * their text, or Latin-1 where they are none, and numbers that are all characters are their text: redaction reads both, and
 * numbers in a row it does not, nor base64 of what is no text. Only media are base64. `typed`: the same value in the typed encoding, which says whether there are any: to look at
 * each value here would take twice as long.
 */
export function plainJson(value: unknown, typed: string): string | null {
  try {
    const before = typeof value === "string" ? BEFORE_TEXT.find((start) => typed.startsWith(`${start}"`)) : undefined;
    if (before !== undefined) return typed.slice(before.length, -1);
    if (isBytes(value)) return bytesJson(value);
    return (NUMBERS.test(typed) ? JSON.stringify(shownNumbers(value), shown) : JSON.stringify(value)) ?? null;
  } catch {
    return null;
  }
}

/** What the typed encoding of a text, and of a list with nothing else, has before it: the rest is the text's JSON. */
const BEFORE_TEXT = ["[", "[[1],"];
const NUMBERS = /\["(?:Buffer|(?:Uint8|Uint8Clamped|Int8|Uint16|Int16|Uint32|Int32|Float32|Float64)Array)",/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

type Numbers = Exclude<NodeJS.TypedArray, BigInt64Array | BigUint64Array>;
type Bytes = Uint8Array | Uint8ClampedArray | Int8Array;

/** Before what is in a value is read: a `Buffer` would turn itself into a list with a number for each byte. */
function shown(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.some(isNumbers) ? value.map(shownNumbers) : value;
  if (isNumbers(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([, item]) => isNumbers(item))) return value;
  return Object.fromEntries(entries.map(([key, item]) => [key, shownNumbers(item)]));
}

function isNumbers(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value) && "BYTES_PER_ELEMENT" in value && !value.constructor.name.startsWith("Big");
}

function isBytes(value: unknown): value is Bytes {
  return isNumbers(value) && value.BYTES_PER_ELEMENT === 1;
}

function shownNumbers(value: unknown): unknown {
  if (isBytes(value)) return textIn(value) ?? octetsIn(value);
  return isNumbers(value) ? (asText(value) ?? value) : value;
}

function bytesJson(bytes: Bytes): string {
  return JSON.stringify(textIn(bytes) ?? octetsIn(bytes));
}

function textIn(bytes: Bytes): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Of bytes that are no text. */
function octetsIn({ buffer, byteOffset, byteLength }: Bytes): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return bytes.toString(beginsAsMedia(bytes.toString("latin1", 0, LONGEST_START)) ? "base64" : "latin1");
}

/** Bytes that say whether others are media. */
const LONGEST_START = 16;

const MOST_CHARACTERS = 64 * 1024;

/** The text that numbers of several bytes are the characters of; null: they are none. */
function asText(numbers: Numbers): string | null {
  if (numbers.length === 0 || numbers.length > MOST_CHARACTERS) return null;
  const units = Array.from(numbers as Uint16Array);
  return units.every((unit) => Number.isInteger(unit) && unit >= 32 && unit < 127)
    ? units.map((unit) => String.fromCharCode(unit)).join("")
    : null;
}
