import type { Hit } from "../hit.ts";
import { alphabet, DIGITS, LOWER, runEnd, UPPER } from "./character.ts";

const OPENING = /(?:-----|---- )BEGIN /y;
const END = "-----END ";
const HEADER = /[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?(?:-----| ----)/y;
const FOOTER = /[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** Base64, line ends also written as `\n`, and the few header lines that old formats carry. */
const BODY = alphabet(`${DIGITS + UPPER + LOWER}+/=\\ \t\r\n:,._()`);
const LONGEST = 32 * 1024;

/** What joins two lines of one: the end of a string of code, a number, a mark of quoting in front of the next. */
const JOINT = String.raw`(?:\\[rn]){0,2}["'\`]?[ \t]{0,4}[+,;.&\\]?[ \t]{0,4}\r?\n[ \t]{0,16}(?:\d{1,6}(?:[ \t]{0,4}[→|:>]|[ \t]{1,4})|[>|#*;%]{1,4}|//)?[ \t]{0,4}["'\`]?`;
/** Such a line: base64 and nothing else, a header, none, or the last one. */
const JOINED = new RegExp(
  String.raw`${JOINT}(?:([A-Za-z0-9+/=]{1,128})(?=(?:\\[rn]){0,2}["'\`]?[ \t]{0,4}[+,;.&)\\]{0,2}[ \t]{0,4}(?:\r?\n|$))|([A-Z][A-Za-z-]{2,20}: [^\n]{1,200})|(?=\r?\n)|(-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}))`,
  "y",
);
const LEAST_LINE = 16;

const PUTTY_LINES = /[ \t]{0,3}(\d{1,3})(?:\r?\n|\\r?\\n|\\n)/y;
const BASE64_LINE = /[ \t]{0,16}[A-Za-z0-9+/=]{1,80}(?:\r?\n|\\r\\n|\\n)?/y;

/** The private lines of a PuTTY key; `after` is the place behind `Private-Lines:`. */
export function puttyKey(text: string, after: number, { to }: { to: number }): Hit | null {
  PUTTY_LINES.lastIndex = after;
  const lines = Number(PUTTY_LINES.exec(text)?.[1] ?? 0);
  if (lines === 0) return null;
  const start = PUTTY_LINES.lastIndex;
  let end = start;
  for (let line = 0; line < lines; line++) {
    BASE64_LINE.lastIndex = end;
    if (!BASE64_LINE.test(text)) break;
    end = BASE64_LINE.lastIndex;
  }
  end = Math.min(end, to);
  while (end > start && /[\r\n]/.test(text[end - 1] as string)) end--;
  if (text.startsWith("\\n", end - 2)) end -= 2;
  return end - start < 16 ? null : { start, end, type: "PEM", rule: "pem" };
}

/** A private key block that begins at `start`; a cut one reaches as far as its body does. */
export function privateKey(text: string, start: number, to: number): Hit | null {
  OPENING.lastIndex = start;
  if (!OPENING.test(text)) return null;
  HEADER.lastIndex = OPENING.lastIndex;
  if (!HEADER.test(text)) return null;
  const body = HEADER.lastIndex;
  if (body > to) return null;
  const limit = Math.min(to, body + LONGEST);
  let end = runEnd(text, body, limit, BODY);
  // a dash inside the old header lines (`DEK-Info`) does not end the block
  while (end < limit && text.charCodeAt(end) === 45 && !text.startsWith(END, end)) {
    if (text.startsWith("--", end)) break;
    end = runEnd(text, end + 1, limit, BODY);
  }
  if (text.startsWith(END, end)) {
    FOOTER.lastIndex = end + END.length;
    if (FOOTER.test(text) && FOOTER.lastIndex <= to) end = FOOTER.lastIndex;
  }
  const joined = joinedLines(text, body, limit);
  if (joined !== null && joined.end > end)
    return {
      start,
      end: joined.end,
      type: "PEM",
      rule: "pem",
      canonical: compact(text.slice(start, body) + joined.lines),
    };
  return { start, end, type: "PEM", rule: "pem", canonical: compact(text.slice(start, end)) };
}

const compact = (block: string): string => block.replace(/\\r|\\n|\s/g, "");

/** The lines of a key that have something in front or behind; null: what follows is none. */
function joinedLines(text: string, body: number, limit: number): { end: number; lines: string } | null {
  let lines = "";
  let end = body;
  let isKey = false;
  for (let at = body; ; at = JOINED.lastIndex) {
    JOINED.lastIndex = at;
    const line = JOINED.exec(text);
    if (line === null || JOINED.lastIndex > limit) break;
    const [, base64, header, last] = line;
    // constants of code: a header and a footer, or a name, in the lines below
    if (!isKey && (last !== undefined || (base64 !== undefined && base64.length < LEAST_LINE))) return null;
    isKey ||= base64 !== undefined;
    lines += base64 ?? header ?? last ?? "";
    if (base64 !== undefined || last !== undefined) end = JOINED.lastIndex;
    if (last !== undefined) break;
  }
  return isKey ? { end, lines } : null;
}
