/**
 * JSON text of a value that JSON can hold; null for what it cannot, and for a getter or `toJSON` that throws. Bytes are
 * their text, or base64 where they are none: redaction reads both, and numbers in a row it does not. `typed`: the same
 * value in the typed encoding, which says whether there are any: to look at each value here would take twice as long.
 */
export function plainJson(value: unknown, typed: string): string | null {
  try {
    return (BYTES.test(typed) ? JSON.stringify(value, shown) : JSON.stringify(value)) ?? null;
  } catch {
    return null;
  }
}

const BYTES = /\["(?:Buffer|Uint8Array|Uint8ClampedArray)",/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// `Buffer` has turned itself into a list by the time that a value is given here
function shown(this: unknown, key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const given = (this as Record<string, unknown>)[key];
  if (!(given instanceof Uint8Array) && !(given instanceof Uint8ClampedArray)) return value;
  try {
    return utf8.decode(given);
  } catch {
    return Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString("base64");
  }
}
