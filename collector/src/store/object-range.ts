import { StoreError } from "./store-error.ts";

/** Which bytes of an object of `size` bytes a range names. Throws `BAD_RANGE` where it begins past the end. */
export function objectRange(key: string, size: number, offset: number, length: number): { from: number; to: number } {
  const from = offset < 0 ? Math.max(0, size + offset) : offset;
  if (from > size || (from === size && length > 0)) {
    throw new StoreError("BAD_RANGE", `get ${key}`, `bytes from ${offset} of an object of ${size}`);
  }
  return { from, to: Math.min(size, from + length) };
}
