/** Where the digits of other scripts begin: Arabic, Persian, those of India, Thai, Lao, Tibetan, Burmese, Khmer, Mongolian. */
const ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0,
  0x1810,
];
const [FIRST_DIGIT, LAST_DIGIT] = [0x660, 0x1819] as const;
const ASCII_DIGITS = new Uint8Array(LAST_DIGIT + 1);
for (const zero of ZEROS) for (let i = 0; i < 10; i++) ASCII_DIGITS[zero + i] = 48 + i;

/** Characters that are written for an ASCII one: digits of other scripts, full-width forms, dashes, spaces. */
const FOLDABLE = new RegExp(
  String.raw`[${ZEROS.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join("")}\u2000-\u200a\u2010-\u2013\u202f\u205f\u2212\u3000\ufe58\ufe63\uff01-\uff5e]`,
);
/** Characters that take no room and may stand inside a value. */
const INVISIBLE_SET = String.raw`\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff`;
const INVISIBLE = new RegExp(`[${INVISIBLE_SET}]`);
const SOFT_HYPHEN = "\u00ad";
/** ASCII characters as markup and code write them: `&#64;`, `&#x2b;`, `\u002B`; of values, not the marks of markup. */
const HEX = "2[89a-f]|3[0-9ad]|4[0-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a]";
/** What parts values: tab, line ends, space, quotes, `&`, `<`, `=`, `>`, `\`. */
const DELIMITER = "0[9ad]|2[0267]|3[c-e]|5c";
const WRITTEN_SET = String.raw`&#(?:x(${HEX})|(4\d|5[0-8]|61|6[4-9]|[78]\d|90|95|9[7-9]|1[01]\d|12[0-2]));|\\(?:u00|x)(${HEX}|${DELIMITER})`;
/** What is left of a colour, or of a cleared line, where a log or a header was stripped of its escape characters. `[5m]` is a range of time. */
const STRIPPED_SET = String.raw`\[\d{1,3}(?:;\d{1,3}){0,5}[mK](?!\])`;
const STRIPPED = new RegExp(STRIPPED_SET);
/** What steers a terminal, also as code writes it: colours and moves, and the ends of a link, which is a text. */
const CONTROL_SET = String.raw`(?:\u001b|\\u001b|\\x1b|\\033|\\e|\^\[)\[[\d;:<=>?]{0,40}[A-Za-z~@]|(?:\u001b|\\u001b|\\x1b|\\033)(?:\]\d{0,4};|[()][0-9AB]|\\{1,2})|\\(?:u00|x)07|${STRIPPED_SET}`;
const WRITTEN = new RegExp(`${CONTROL_SET}|${WRITTEN_SET}`, "i");
const EACH_INVISIBLE = new RegExp(`[${SOFT_HYPHEN}${INVISIBLE_SET}]|${CONTROL_SET}|${WRITTEN_SET}`, "gi");
const EACH_BOUNDARY = new RegExp(String.raw`${CONTROL_SET}|\\(?:u00|x)(?:${DELIMITER})`, "gi");
const MAY_BE_WRITTEN = /\\(?:[ux]0|x[1-7]|033|e\[)/i;
const WIDE_TO_ASCII = 0xfee0;
const DASH = 45;
const SPACE = 32;

/** The text with each look-alike replaced by its ASCII character, one for one; the same object if there is none. */
export function folded(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  const units = Buffer.allocUnsafe(text.length * 2);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    units.writeUInt16LE(unit < FIRST_DIGIT ? unit : asciiOf(unit), at * 2);
  }
  return units.toString("utf16le");
}

function asciiOf(unit: number): number {
  if (unit <= LAST_DIGIT) return ASCII_DIGITS[unit] || unit;
  if (unit >= 0xff01 && unit <= 0xff5e) return unit - WIDE_TO_ASCII;
  if ((unit >= 0x2010 && unit <= 0x2013) || unit === 0x2212 || unit === 0xfe58 || unit === 0xfe63) return DASH;
  return unit <= 0x200a || unit === 0x202f || unit === 0x205f || unit === 0x3000 ? SPACE : unit;
}

/** Whether characters stand in it as code and markup write them, or what steers a terminal. */
export const isWritten = (text: string): boolean =>
  ((text.includes("&#") ||
    text.includes("\u001b") ||
    text.includes("^[[") ||
    (text.includes("\\") && MAY_BE_WRITTEN.test(text))) &&
    WRITTEN.test(text)) ||
  (text.includes("[") && STRIPPED.test(text));

/** A written text with spaces for what steers a terminal and for delimiters, one for one: their letters are no word. */
export const parted = (text: string): string => text.replace(EACH_BOUNDARY, (found) => " ".repeat(found.length));

export interface Visible {
  readonly text: string;
  /** where each character of `text` stood, and where it ended */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The text without characters that take no room, and with those that are written as numbers; null if there are none. */
export function visible(text: string, written: boolean): Visible | null {
  if (!INVISIBLE.test(text) && !text.includes(SOFT_HYPHEN) && !written) return null;
  const starts = new Int32Array(text.length + 1);
  const ends = new Int32Array(text.length + 1);
  let out = "";
  let from = 0;
  const take = (to: number): void => {
    for (let at = from, put = out.length; at < to; at++, put++) {
      starts[put] = at;
      ends[put] = at + 1;
    }
    out += text.slice(from, to);
  };
  for (const match of text.matchAll(EACH_INVISIBLE)) {
    take(match.index);
    from = match.index + match[0].length;
    const [, hex, decimal, escape] = match;
    const code = decimal === undefined ? Number.parseInt(hex ?? escape ?? "", 16) : Number(decimal);
    if (Number.isNaN(code)) continue;
    starts[out.length] = match.index;
    ends[out.length] = from;
    out += String.fromCharCode(code);
  }
  take(text.length);
  starts[out.length] = ends[out.length] = text.length;
  return { text: out, starts, ends };
}
