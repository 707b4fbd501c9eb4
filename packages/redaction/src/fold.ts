/** Characters that are written for an ASCII one: full-width forms, dashes, spaces. A range compares below 0x2000 at once. */
const FOLDABLE = /[\u2000-\u200a\u2010-\u2013\u202f\u205f\u2212\u3000\ufe58\ufe63\uff01-\uff5e]/;
/** Characters that take no room and may stand inside a value. */
const INVISIBLE_SET = String.raw`\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff`;
const INVISIBLE = new RegExp(`[${INVISIBLE_SET}]`);
const SOFT_HYPHEN = "\u00ad";
const EACH_INVISIBLE = new RegExp(`[${SOFT_HYPHEN}${INVISIBLE_SET}]`, "g");
const WIDE_TO_ASCII = 0xfee0;
const DASH = 45;
const SPACE = 32;

/** The text with each look-alike replaced by its ASCII character, one for one; the same object if there is none. */
export function folded(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  const units = Buffer.allocUnsafe(text.length * 2);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    units.writeUInt16LE(unit < 0x2000 ? unit : asciiOf(unit), at * 2);
  }
  return units.toString("utf16le");
}

function asciiOf(unit: number): number {
  if (unit >= 0xff01 && unit <= 0xff5e) return unit - WIDE_TO_ASCII;
  if ((unit >= 0x2010 && unit <= 0x2013) || unit === 0x2212 || unit === 0xfe58 || unit === 0xfe63) return DASH;
  return unit <= 0x200a || unit === 0x202f || unit === 0x205f || unit === 0x3000 ? SPACE : unit;
}

export interface Visible {
  readonly text: string;
  /** where each character of `text` stood; one more for the end */
  readonly places: Int32Array;
}

/** The text without characters that take no room; null if there are none. */
export function visible(text: string): Visible | null {
  if (!INVISIBLE.test(text) && !text.includes(SOFT_HYPHEN)) return null;
  const places = new Int32Array(text.length + 1);
  let out = "";
  let from = 0;
  for (const match of text.matchAll(EACH_INVISIBLE)) {
    for (let at = from; at < match.index; at++) places[out.length + at - from] = at;
    out += text.slice(from, match.index);
    from = match.index + 1;
  }
  for (let at = from; at < text.length; at++) places[out.length + at - from] = at;
  out += text.slice(from);
  places[out.length] = text.length;
  return { text: out, places };
}
