import type { Hit } from "../hit.ts";
import { alphabet, DIGITS, LOWER, runEnd, UPPER } from "./character.ts";

const BEGIN = "-----BEGIN ";
const END = "-----END ";
const HEADER = /[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const FOOTER = /[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** Base64, line ends also written as `\n`, and the few header lines that old formats carry. */
const BODY = alphabet(`${DIGITS + UPPER + LOWER}+/=\\ \t\r\n:,._()`);
const LONGEST = 32 * 1024;

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
  if (!text.startsWith(BEGIN, start)) return null;
  HEADER.lastIndex = start + BEGIN.length;
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
  return { start, end, type: "PEM", rule: "pem", canonical: text.slice(start, end).replace(/\\r|\\n|\s/g, "") };
}
