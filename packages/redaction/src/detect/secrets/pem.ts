import type { Hit } from "../../scan/hit.ts";
import { type Line, linesAbove, linesBelow } from "./pem-lines.ts";
import type { Area } from "../area.ts";
import type { Find } from "../detector.ts";
import { alphabet, DIGITS, LOWER, runEnd, UPPER } from "../character.ts";

const OPENING = /(?:-----|---- )BEGIN /y;
const END = "-----END ";
const HEADER = /(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)(?:-----| ----)/y;
const FOOTER = /(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----/y;
/** Base64, line ends also written as `\n`, and the few header lines that old formats carry. */
const BODY = alphabet(`${DIGITS + UPPER + LOWER}+/=\\ \t\r\n:,._()`);
const LONGEST = 32 * 1024;
const LAST = /(?:-----|---- )END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?(?:-----| ----)/y;

const PUTTY_LINES = /[ \t]{0,3}(\d{1,3})(?:\r?\n|\\r?\\n|\\n)/y;
const BASE64_LINE = /[ \t]{0,16}[A-Za-z0-9+/=]{1,80}(?:\r?\n|\\r\\n|\\n)?/y;

/** The private lines of a PuTTY key; `after` is the offset behind `Private-Lines:`. */
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
  while (end > start && /[\r\n]/.test(text.charAt(end - 1))) end--;
  if (text.startsWith("\\n", end - 2)) end -= 2;
  return end - start < 16 ? null : { start, end, type: "PEM", rule: "pem" };
}

const [DASHES, SSH_DASHES] = ["-----".length, "---- BEGIN".length];

/** A private key whose `-----BEGIN` has its `B` at `at`; the dashes that end one begin no other. */
export const keyAt: Find = (text, at, area) => (at - DASHES < area.pemTo ? null : keyFrom(text, at - DASHES, area));

/** A private key that begins with `---- BEGIN`, the space behind it at `at`. */
export const sshKeyAt: Find = (text, at, area) =>
  text.startsWith("---- BEGIN", at - SSH_DASHES) ? keyFrom(text, at - SSH_DASHES, area) : null;

/** A private key whose beginning is not there; its `-----END` has its `E` at `at`. */
export const cutKeyAt: Find = (text, at, area) => {
  const start = at - DASHES;
  if (start >= area.pemTo && start >= area.from) area.pemTo = cutPrivateKey(text, start, area);
  return null;
};

function keyFrom(text: string, start: number, area: Area): null {
  area.pemTo = Math.max(area.pemTo, privateKey(text, start, area.to, area.hits));
  return null;
}

/**
 * Private keys that begin at `start`, as one hit that covers all lines; where something else stands between them, each
 * line is one. A cut key reaches as far as its lines do. Returns where the next look may begin; 0: none begins here.
 */
function privateKey(text: string, start: number, to: number, hits: Hit[]): number {
  OPENING.lastIndex = start;
  if (!OPENING.test(text)) return 0;
  HEADER.lastIndex = OPENING.lastIndex;
  if (!HEADER.test(text)) return 0;
  const body = HEADER.lastIndex;
  if (body > to) return 0;
  const limit = Math.min(to, body + LONGEST);
  const end = plainEnd(text, body, limit);
  if (text.startsWith(END, end)) {
    FOOTER.lastIndex = end + END.length;
    if (FOOTER.test(text) && FOOTER.lastIndex <= to) {
      hits.push(hitOf(start, FOOTER.lastIndex, text.slice(start, FOOTER.lastIndex)));
      return FOOTER.lastIndex;
    }
  }
  const below = linesBelow(text, body, limit);
  if (below.body.length === 0 && !below.closed) {
    // a constant of code; alone in its leaf it is the first of several lines
    const isConstant = body < to && !isBlankFrom(text, body, to);
    if (!isConstant) hits.push(hitOf(start, body, text.slice(start, body)));
    return body;
  }
  if (below.mixed) {
    hits.push(hitOf(start, body, text.slice(start, body)));
    for (const line of below.body) hits.push(hitOf(line.start, line.end, text.slice(line.start, line.end)));
  } else hits.push(hitOf(start, below.end, text.slice(start, body) + below.text));
  return below.end;
}

/** Lines of a private key whose beginning is not there; its last one begins at `at`. Returns where the next look may begin. */
function cutPrivateKey(text: string, at: number, { pemTo, to, hits }: Area): number {
  LAST.lastIndex = at;
  if (!LAST.test(text) || LAST.lastIndex > to) return pemTo;
  const end = LAST.lastIndex;
  const lines = linesAbove(text, at, Math.max(pemTo, at - LONGEST));
  for (const line of lines) hits.push(hitOf(line.start, line.end, text.slice(line.start, line.end)));
  return end;
}

const KEY = "PRIVATE KEY";
const LONGEST_HEAD = 60;

/**
 * Lines of private keys in a text whose strings are read one by one: an array of lines, a log of JSON. Each line is a
 * hit of its own, so that nothing between them is touched.
 */
export function keyLines(text: string): Hit[] {
  const hits: Hit[] = [];
  let from = 0;
  for (let at = text.indexOf(KEY); at !== -1; at = text.indexOf(KEY, Math.max(from, at + KEY.length))) {
    const begin = text.lastIndexOf("-----", at);
    if (begin < from || at - begin > LONGEST_HEAD) continue;
    OPENING.lastIndex = HEADER.lastIndex = begin;
    let lines: readonly Line[];
    if (OPENING.test(text)) {
      HEADER.lastIndex = OPENING.lastIndex;
      if (!HEADER.test(text)) continue;
      const below = linesBelow(text, HEADER.lastIndex, Math.min(text.length, HEADER.lastIndex + LONGEST * 2));
      lines = below.body;
      from = below.end;
    } else {
      LAST.lastIndex = begin;
      if (!LAST.test(text)) continue;
      lines = linesAbove(text, begin, Math.max(from, begin - LONGEST * 2));
      from = LAST.lastIndex;
    }
    for (const { start, end } of lines) hits.push(hitOf(start, end, text.slice(start, end)));
  }
  return hits;
}

function hitOf(start: number, end: number, block: string): Hit {
  return { start, end, type: "PEM", rule: "pem", canonical: compact(block) };
}

/** Where the base64, white space and headers behind `body` end, with nothing in front of the lines. */
function plainEnd(text: string, body: number, limit: number): number {
  let end = runEnd(text, body, limit, BODY);
  // a dash inside the old header lines (`DEK-Info`) does not end the block
  while (end < limit && text.charCodeAt(end) === 45 && !text.startsWith(END, end)) {
    if (text.startsWith("--", end)) break;
    end = runEnd(text, end + 1, limit, BODY);
  }
  return end;
}

const isBlankFrom = (text: string, from: number, to: number): boolean =>
  /^(?:\s|\\[rn])*$/.test(text.slice(from, Math.min(to, from + 16)));
const compact = (block: string): string => block.replace(/\\r|\\n|\s/g, "");
