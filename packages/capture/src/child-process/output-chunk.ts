import { textOrBytes } from "../hook/text-or-bytes.ts";

/**
 * Bytes that a child has written, as they are recorded: always a text, so that it is redacted together with what comes before and
 * after. A character that is cut between two chunks stands in `tail` and `head`, at most three bytes each. `binary`: the bytes are
 * no UTF-8, and each is one character.
 */
export interface OutputChunk {
  readonly text: string;
  readonly binary?: true;
  readonly head?: Uint8Array;
  readonly tail?: Uint8Array;
}

export function chunkOf(bytes: Buffer): OutputChunk {
  let from = 0;
  while (from < 3 && from < bytes.length && isContinuation(bytes[from])) from++;
  const to = bytes.length - cutBytes(bytes);
  const text = from > to ? null : textOrBytes(bytes.subarray(from, to));
  if (typeof text !== "string") return { text: bytes.toString("latin1"), binary: true };
  return {
    text,
    ...(from > 0 && { head: new Uint8Array(bytes.subarray(0, from)) }),
    ...(to < bytes.length && { tail: new Uint8Array(bytes.subarray(to)) }),
  };
}

export function bytesOf({ text, binary, head, tail }: OutputChunk): Buffer {
  const bytes = Buffer.from(text, binary === true ? "latin1" : "utf8");
  return head === undefined && tail === undefined
    ? bytes
    : Buffer.concat([head ?? new Uint8Array(), bytes, tail ?? new Uint8Array()]);
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** How many bytes at the end begin a character that is not whole. */
function cutBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
