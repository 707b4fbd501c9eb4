/** First byte and number of bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** One range of a `Range` header on `size` bytes; null: none is asked for (or several, which get the whole); "bad". */
export function byteRange(header: string | undefined, size: number): ByteRange | null | "bad" {
  const [, first, last] = /^bytes=([0-9]*)-([0-9]*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "bad" : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < offset) return null;
  return offset >= size ? "bad" : { offset, length: end - offset + 1 };
}
