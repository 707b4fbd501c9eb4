import { textOf } from "@reenact/envelope";
import { applied, type Change } from "../scrub/change.ts";
import { alphabet, DIGITS, isForeignLetter, LOWER, UPPER } from "../detect/character.ts";
import { redactedJwts } from "../detect/secrets/jwt.ts";
import { type Base64Text, base64Text } from "./base64.ts";

const ALPHABET = new Uint8Array(256);
ALPHABET.set(alphabet(`${DIGITS}${UPPER}${LOWER}+/_-`));
/** A shorter run is a word. */
const SHORTEST = 24;
const EQUALS = 61;

const isInside = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit < 128 && ALPHABET[unit] === 1;
};

/** A run of base64 in `text`, with the text that it is. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly inside: Base64Text;
}

const CHUNK = 32 * 1024;
const bytes = Buffer.allocUnsafeSlow(CHUNK);

/** Where the next run of that length begins; -1: there is none. Asks from its end backwards, so that words are jumped over. */
function nextRun(text: string, from: number): number {
  // bytes are read faster than characters; of a wide character only the low byte is seen
  for (let base = from; base + SHORTEST <= text.length;) {
    const size = bytes.write(text.slice(base, base + CHUNK), 0, "latin1");
    let start = 0;
    while (start + SHORTEST <= size) {
      let at = start + SHORTEST - 1;
      while (at >= start && ALPHABET[bytes[at] ?? 0] === 1) at--;
      if (at < start) {
        at = base + start + SHORTEST - 1;
        while (at >= base + start && isInside(text, at)) at--;
        if (at < base + start) return at + 1;
        at -= base;
      }
      start = at + 1;
    }
    base += start;
  }
  return -1;
}

/** Hexadecimal digits of one case, two for each byte. */
const HEX = /(?<![0-9A-Za-z])(?:0x)?((?:[0-9a-f]{2}){12,}|(?:[0-9A-F]{2}){12,})(?![0-9A-Za-z])/g;
const HEAD = 32;

/** The runs in `text[from, to)` that are hexadecimal digits of printable text. */
function hexRuns(text: string, from: number, to: number): Run[] {
  const runs: Run[] = [];
  for (const { 0: all, 1: digits = "", index } of text.slice(from, to).matchAll(HEX)) {
    if (!PRINTABLE.test(Buffer.from(digits.slice(0, HEAD), "hex").toString("latin1"))) continue;
    const inside = textOf(Buffer.from(digits, "hex"));
    if (inside === null || !PRINTABLE.test(inside)) continue;
    const encode = (put: string): string => {
      const hex = Buffer.from(put).toString("hex");
      return /[A-F]/.test(digits) ? hex.toUpperCase() : hex;
    };
    const start = from + index + all.length - digits.length;
    runs.push({ start, end: start + digits.length, inside: { text: inside, encode } });
  }
  return runs;
}

// oxlint-disable-next-line no-control-regex
const PRINTABLE = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$/;

/** The runs in a text that are base64, or hexadecimal digits, of printable text. */
function base64Runs(text: string): Run[] {
  const runs: Run[] = [];
  for (let start = nextRun(text, 0); start !== -1;) {
    let end = start + SHORTEST;
    while (end < text.length && isInside(text, end)) end++;
    for (let padding = 0; padding < 2 && text.charCodeAt(end) === EQUALS; padding++) end++;
    const digits = hexRuns(text, start, end);
    if (digits.length > 0) {
      runs.push(...digits);
      start = nextRun(text, end);
      continue;
    }
    // glued to a word of another alphabet it could become a part of it, or stop being one
    const inside = isForeignLetter(text.charCodeAt(end)) ? null : base64Text(text.slice(start, end));
    if (inside !== null) runs.push({ start, end, inside });
    start = nextRun(text, end);
  }
  return runs;
}

/** Whether there may be a run: cheap, for short texts. */
export const mayHoldBase64 = (text: string): boolean => nextRun(text, 0) !== -1;

/**
 * The changes of a text together with those inside its runs of base64. `read` finds what is in the text of a run. What
 * was found in the plain text over a whole run stands; `both` makes one change of a stretch where the two cross.
 */
export function withBase64Runs(
  text: string,
  plain: readonly Change[],
  read: (inside: string) => readonly Change[],
  both: (start: number, end: number, type: string) => readonly Change[],
): readonly Change[] {
  let all: readonly Change[] = plain;
  const made = redactedJwts(text);
  for (const { start, end, inside } of base64Runs(text)) {
    if (made.some((area) => area[0] <= start && area[1] >= end)) continue;
    const crossing = all.filter((change) => change.start < end && change.end > start);
    if (crossing.some((change) => change.start <= start && change.end >= end)) continue;
    const changes = read(inside.text);
    const first = changes[0];
    if (first === undefined) continue;
    const others = all.filter((change) => !crossing.includes(change));
    const from = Math.min(start, ...crossing.map((change) => change.start));
    const to = Math.max(end, ...crossing.map((change) => change.end));
    const put =
      crossing.length === 0
        ? [{ ...first, start, end, with: inside.encode(applied(inside.text, changes)) }]
        : both(from, to, crossing[0]?.type ?? "SECRET");
    all = [...others, ...put].sort((a, b) => a.start - b.start);
  }
  return all;
}
