import { hash } from "node:crypto";
import { comparable } from "../row-fields.ts";

/** An entry of an index takes some 2,700 bytes, and it holds other columns beside the text. */
const LONGEST = 1_000;
/** Characters of a longer text that stay readable, and by which a prefix finds it: at most 768 bytes. */
const BEGIN = 256;

/**
 * A text as an indexed column holds it, and as it is asked for: the same for equal texts, another one for others. One over 1,000 bytes,
 * which a sender may have made of anything, is its begin and a digest: the row itself has all of it.
 */
export function keyText(text: string): string {
  const plain = comparable(text);
  if (Buffer.byteLength(plain) <= LONGEST) return plain;
  return `${plain.slice(0, BEGIN).toWellFormed()}…#${hash("sha256", plain)}`;
}
