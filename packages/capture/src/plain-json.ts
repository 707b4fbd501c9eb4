/**
 * JSON text of a value that JSON can hold; null for what it cannot, and for a getter or `toJSON` that throws. Bytes are
 * their text, or base64 where they are none: redaction reads both, and numbers in a row it does not. `typed`: the same
 * value in the typed encoding, which says whether there are any: to look at each value here would take twice as long.
 */
export function plainJson(value: unknown, typed: string): string | null {
  try {
    const before = typeof value === "string" ? BEFORE_TEXT.find((start) => typed.startsWith(`${start}"`)) : undefined;
    if (before !== undefined) return typed.slice(before.length, -1);
    if (isBytes(value)) return bytesJson(value);
    return (BYTES.test(typed) ? JSON.stringify(value, shown) : JSON.stringify(value)) ?? null;
  } catch {
    return null;
  }
}

/** What the typed encoding of a text, and of a list with nothing else, has before it: the rest is the text's JSON. */
const BEFORE_TEXT = ["[", "[[1],"];
const BYTES = /\["(?:Buffer|Uint8Array|Uint8ClampedArray)",/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Before what is in a value is read: a `Buffer` would turn itself into a list with a number for each byte. */
function shown(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.some(isBytes) ? value.map(shownBytes) : value;
  const entries = Object.entries(value);
  if (!entries.some(([, item]) => isBytes(item))) return value;
  return Object.fromEntries(entries.map(([key, item]) => [key, shownBytes(item)]));
}

function isBytes(value: unknown): value is Uint8Array | Uint8ClampedArray {
  return value instanceof Uint8Array || value instanceof Uint8ClampedArray;
}

function shownBytes(value: unknown): unknown {
  return isBytes(value) ? (textIn(value) ?? base64(value)) : value;
}

function bytesJson(bytes: Uint8Array | Uint8ClampedArray): string {
  const text = textIn(bytes);
  // nothing in base64 is escaped
  return text === null ? `"${base64(bytes)}"` : JSON.stringify(text);
}

function textIn(bytes: Uint8Array | Uint8ClampedArray): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function base64(bytes: Uint8Array | Uint8ClampedArray): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
