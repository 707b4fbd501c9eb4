import { textOf } from "@reenact/envelope";

const SHORTEST = 16;
const LONGEST = 1024 * 1024;
const HEAD = 64;
const ALPHABET = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** What groups of four begin with where the text is printable: others cannot be the top bits of such a byte. */
const GROUPS = /^(?:[CDI-Za-fw-z0-9]...){3}/;
const WRAPPED = /^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$/;

/** A text that was written in base64, and the way back. */
export interface Base64Text {
  readonly text: string;
  encode(text: string): string;
}

/** The printable text of which a whole leaf is the base64, in the standard or the URL alphabet; null: it is none. */
export function base64Text(leaf: string): Base64Text | null {
  if (leaf.length < SHORTEST || leaf.length > LONGEST) return null;
  if (!GROUPS.test(leaf)) return null;
  const wrapped = leaf.includes("\n");
  if (!(wrapped ? WRAPPED : ALPHABET).test(leaf)) return null;
  // most such leaves are names, ids and media: the first bytes say so
  if (!isPrintable(Buffer.from(leaf.slice(0, HEAD), "base64").toString("latin1"))) return null;
  const text = textOf(Buffer.from(leaf, "base64"));
  if (text === null || !isPrintable(text)) return null;
  const encoding = /[_-]/.test(leaf) ? "base64url" : "base64";
  const padded = leaf.endsWith("=");
  return {
    text,
    encode(inner) {
      const encoded = Buffer.from(inner, "utf8").toString(encoding);
      if (encoding === "base64url") return padded ? encoded + "=".repeat((4 - (encoded.length % 4)) % 4) : encoded;
      return padded || leaf.length % 4 === 0 || wrapped ? encoded : encoded.replace(/=+$/, "");
    },
  };
}

function isPrintable(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);
}

const DATA_URL = /^data:(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript))[^,]{0,200};base64,/i;

/** Where the base64 of a `data:` URL of text begins; -1: the leaf is none. */
export function textDataUrl(leaf: string): number {
  return leaf.startsWith("data:") ? (DATA_URL.exec(leaf)?.[0].length ?? -1) : -1;
}
