import { isUtf8 } from "node:buffer";

/**
 * Reads bytes as UTF-8, wherever they are cut between writes. A byte that belongs to no character becomes `�{ff}`, so
 * that other bytes are another text; the braces keep what follows at the beginning of a word.
 */
export class Utf8Text {
  #pending = Buffer.alloc(0);

  write(chunk: Uint8Array): string {
    const given = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const all = this.#pending.length === 0 ? given : Buffer.concat([this.#pending, given]);
    const end = all.length - cutCharacter(all);
    this.#pending = Buffer.from(all.subarray(end));
    return textOf(all.subarray(0, end));
  }

  /** What a character that was begun and not ended leaves. */
  end(): string {
    const left = this.#pending;
    this.#pending = Buffer.alloc(0);
    return textOf(left);
  }
}

function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = "";
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += `${bytes.toString("utf8", from, at)}\ufffd{${bytes.toString("hex", at, at + 1)}}`;
    from = ++at;
  }
  return text + bytes.toString("utf8", from);
}

/** Bytes of the character that begins here; 0: none does. */
function characterAt(bytes: Buffer, at: number): number {
  const length = lengthBy(bytes[at] ?? 0);
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/** Bytes at the end that may be the beginning of a character. */
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return lengthBy(byte) > back ? back : 0;
  }
  return 0;
}

/** Length of a character by its first byte; 0: none begins with it. */
function lengthBy(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}
