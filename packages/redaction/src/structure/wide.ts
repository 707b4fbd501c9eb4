import type { Change } from "../scrub/change.ts";

/** A text of two bytes a character, as it was given: one unit a byte. */
export interface WideText {
  /** the characters */
  readonly text: string;
  /** units as bytes, in the order of this text */
  readonly encode: (text: string) => string;
}

const DECLARED = /charset="?utf-?16(le|be)?"?/i;
const MARKS = { "\u00ff\u00fe": "le", "\u00fe\u00ff": "be" } as const;
const LOOKED_AT = 8;
const LONGEST_MIME = 1024;

/**
 * UTF-16 in bytes that come as Latin-1: its content type says so, or a mark in front, or every second byte is zero.
 * Null: it is none.
 */
export function wideText(text: string, mime: string): WideText | null {
  if (text.length < 4 || text.length % 2 !== 0) return null;
  const order = orderOf(text, mime);
  if (order === null) return null;
  const bytes = Buffer.from(text, "latin1");
  // a character above a byte: the text is decoded already
  if (bytes.toString("latin1") !== text) return null;
  const encode = (decoded: string): string => {
    const units = Buffer.from(decoded, "utf16le");
    return (order === "le" ? units : units.swap16()).toString("latin1");
  };
  return { text: (order === "le" ? bytes : bytes.swap16()).toString("utf16le"), encode };
}

function orderOf(text: string, mime: string): "le" | "be" | null {
  const marked = MARKS[text.slice(0, 2) as keyof typeof MARKS];
  if (marked !== undefined) return marked;
  let [even, odd] = [0, 0];
  const looked = Math.min(text.length, LOOKED_AT * 2);
  for (let at = 0; at < looked; at++) {
    if (text.charCodeAt(at) !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  if (odd === looked / 2 && even === 0) return "le";
  if (even === looked / 2 && odd === 0) return "be";
  const declared = mime.length > LONGEST_MIME ? null : DECLARED.exec(mime);
  if (declared === null) return null;
  // without a mark the standard says big-endian, and most programs write the other
  const order = declared[1]?.toLowerCase();
  if (order === "le" || order === "be") return order;
  return even > odd ? "be" : "le";
}

/** As `wideText`, of a leaf: a piece of a text that may end amid a character. */
export function wideLeaf(text: string): WideText | null {
  const [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
  if (first !== 0 && second !== 0 && first < 0xfe) return null;
  return wideText(text.slice(0, text.length - (text.length % 2)), "");
}

/** Changes of the characters as changes of the bytes. */
export function narrowed(changes: readonly Change[], { encode }: WideText): Change[] {
  return changes.map((change) => ({
    ...change,
    start: change.start * 2,
    end: change.end * 2,
    with: encode(change.with),
  }));
}
