/** Where lines end: a line feed, one as code writes it (`\n`, `\\n`), a break of HTML, the end of an element of a list. */
const LINE_END = /\r?\n|(?:\\{1,8}r)?\\{1,8}n|<br ?\/?>|&#(?:10|x0?a);|["'`}\]][ \t]?,/gi;
export const FOOTER = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;
const HEADER = /-{4,5} ?BEGIN /;
/** Base64 of a line; nothing else in a log is as long without a point or a dash in it. */
const LONG =
  /(?<![A-Za-z0-9+/=])([A-Za-z0-9+/]{40,1024}={0,2}(?: [A-Za-z0-9+/]{16,1024}={0,2}(?![A-Za-z0-9+/=_-]))*(?: [A-Za-z0-9+/]{1,15}={0,2}(?= ?$))?)(?![A-Za-z0-9+/=_-])/;
const ALONE =
  /^[\s"'`>|#*;%+-]*(?:\d{1,6}(?:[ \t]{0,4}[→|:>]|[ \t]{1,4})|\/\/ ?)?[\s"'`>|#*;%+-]*(=?[A-Za-z0-9+/]{1,1024}={0,2})["'`,;+&)\\ \t]{0,8}(?:<\/?\w{1,20}>)?$/;
const EACH = /=?[A-Za-z0-9+/]+={0,2}/g;
/** What old formats and PGP write in front of the base64. */
const HEADER_LINE =
  /(?:^|[\s"'|>:\])+-])(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject|X-[\w-]{1,30}): ?\S/;
const TOKEN = /_[a-z]{4}_[a-z]{16}/;
const MIXED = /^(?=[^]*[a-z])(?=[^]*[A-Z])/;
const LONGEST_LINE = 2048;
const LONGEST_SHAPE = 400;
const MOST_LINES = 600;
/** lines, or members of JSON, between two lines of a key: of other containers, of a program that goes on writing */
const MOST_BETWEEN = 20;
const MOST_WAITING = 16;
const LEAST_ALONE = 16;
/** right behind the first line of a key */
const LEAST_FIRST = 8;

export interface Line {
  readonly start: number;
  readonly end: number;
}

export interface KeyLines {
  /** base64 of each line, in order */
  readonly body: Line[];
  /** the text of the key: its base64 and header lines without the prefixes of the lines */
  readonly text: string;
  readonly end: number;
  /** the line that ends it was there */
  readonly closed: boolean;
  /** something else than marks stands between: other output, members of JSON */
  readonly mixed: boolean;
}

/** What was read of a key so far. */
interface ReadLines {
  readonly body: Line[];
  text: string;
  end: number;
  /** what stands around the base64 of the last line of the key; null: there was none yet */
  shape: string | null;
  /** lines since then that are none of the key */
  between: number;
  mixed: boolean;
}

/** The lines of a key behind its first one, whatever stands before each. `at`: behind the header, `to`: the limit. */
export function linesBelow(text: string, at: number, to: number): KeyLines {
  const read: ReadLines = { body: [], text: "", end: at, shape: null, between: 0, mixed: false };
  let closed = false;
  for (let from = at, count = 0; from < to && count < MOST_LINES && read.between <= MOST_BETWEEN; count++) {
    const [stop, next] = lineEnd(text, from, to);
    const line = text.slice(from, stop);
    const footer = FOOTER.exec(line);
    readLine(line, from, footer, read);
    if (text.startsWith("-----BEGIN", stop)) break;
    if (footer !== null) {
      closed = true;
      read.text += footer[0];
      read.end = from + footer.index + footer[0].length;
      read.mixed ||= read.between > 0 && read.body.length > 0;
      break;
    }
    from = next;
  }
  const { body, end, mixed } = read;
  return { body, text: read.text, end, closed, mixed };
}

/** Reads one line, which begins at `from`; `footer`: the end of the key in it. */
function readLine(line: string, from: number, footer: RegExpExecArray | null, read: ReadLines): void {
  const rest = footer === null ? line : line.slice(0, footer.index);
  const run = base64In(rest, leastOf(read, footer !== null), read.shape);
  if (run !== null) {
    read.body.push({ start: from + run.start, end: from + run.end });
    read.text += rest.slice(run.start, run.end);
    read.mixed ||= read.between > 0 && read.body.length > 1;
    read.shape = shapeOf(rest, run);
    read.end = from + run.end;
    read.between = 0;
  } else if (HEADER_LINE.test(line)) read.text += line.trim();
  else if (footer === null && /[A-Za-z0-9]/.test(line)) read.between++;
}

/** So many characters of base64 alone in a line belong to the key. */
function leastOf({ body, between }: ReadLines, hasFooter: boolean): number {
  if (body.length > 0 || hasFooter) return 1;
  return between === 0 ? LEAST_FIRST : LEAST_ALONE;
}

const base64In = (line: string, least: number, shape: string | null): Line | null =>
  long(line) ?? alone(line, least) ?? (shape === null ? null : alike(line, shape));

/** The lines of a key above its last one, which begins at `at`; the first ones are cut off. */
export function linesAbove(text: string, at: number, floor: number): Line[] {
  const body: Line[] = [];
  /** short lines that may be the end of the key; decided once a longer line shows the prefix of its lines */
  const waiting: Line[] = [];
  let stop = at;
  for (let count = 0, between = 0; stop > floor && count < MOST_LINES && between <= MOST_BETWEEN; count++) {
    const [begin, before] = lineBegin(text, floor, stop);
    const line = text.slice(begin, stop);
    // what was replaced before was the beginning
    if (HEADER.test(line) || FOOTER.test(line) || TOKEN.test(line)) break;
    const run = long(line) ?? alone(line, LEAST_ALONE);
    if (run !== null) {
      body.push(...partsOf(text, waiting.splice(0), line, run), { start: begin + run.start, end: begin + run.end });
      between = 0;
    } else if (/[A-Za-z0-9]/.test(line) && !HEADER_LINE.test(line)) {
      between++;
      if (body.length === 0 && waiting.length < MOST_WAITING) waiting.push({ start: begin, end: stop });
    }
    if (begin === before) break;
    stop = before;
  }
  return body.length > 0 ? body : shortTail(text, waiting);
}

/** The base64 of short lines, like that of another line of their key. */
function partsOf(text: string, lines: readonly Line[], line: string, run: Line): Line[] {
  const shape = shapeOf(line, run);
  return lines.flatMap((each) => {
    const last = text.slice(each.start, each.end);
    const part = alike(last, shape) ?? (ALONE.test(line) ? alone(last, 1) : null);
    return part === null ? [] : [{ start: each.start + part.start, end: each.start + part.end }];
  });
}

/** Where no whole line of the key is there: one that is half as long shows where the others stand. */
function shortTail(text: string, lines: readonly Line[]): Line[] {
  for (const { start, end } of lines) {
    const line = text.slice(start, end);
    if (line.length > LONGEST_SHAPE) continue;
    for (const match of line.matchAll(EACH)) {
      if (match[0].length < LEAST_TAIL || !MIXED.test(match[0]) || !/\d/.test(match[0])) continue;
      return partsOf(text, lines, line, { start: match.index, end: match.index + match[0].length });
    }
  }
  return [];
}
const LEAST_TAIL = 20;

/** Where the line that ends at `stop` begins, and where the one before it ends. */
function lineBegin(text: string, floor: number, stop: number): readonly [begin: number, before: number] {
  const window = Math.max(floor, stop - LONGEST_LINE);
  let [begin, before] = [window, window];
  LINE_END.lastIndex = 0;
  for (const match of text.slice(window, stop).matchAll(LINE_END)) {
    before = window + match.index;
    begin = before + match[0].length;
  }
  return [begin, before];
}

function lineEnd(text: string, from: number, to: number): readonly [stop: number, next: number] {
  let piece = text.slice(from, Math.min(to, from + LONGEST_LINE));
  // the next key ends the line too: what is looked at once is not looked at again
  const begin = piece.indexOf("-----BEGIN");
  if (begin !== -1) piece = piece.slice(0, begin);
  LINE_END.lastIndex = 0;
  const match = LINE_END.exec(piece);
  const stop = from + (match === null ? piece.length : match.index);
  return [stop, match === null ? stop + 1 : stop + match[0].length];
}

/** What stands around the base64 of a line. Digits of times and of numbers of lines count for nothing. */
const shapeOf = (line: string, { start, end }: Line): string =>
  `${line.slice(0, start)}\n${line.slice(end)}`.replace(/[0-9a-f]+/g, "9");

function long(line: string): Line | null {
  const match = LONG.exec(line);
  const found = match?.[1] ?? "";
  return match !== null && MIXED.test(found) ? { start: match.index, end: match.index + found.length } : null;
}

/** A line of base64 and marks of quoting, of at least so many characters. */
function alone(line: string, least: number): Line | null {
  const found = ALONE.exec(line)?.[1];
  if (found === undefined || found.length < least || !/[A-Za-z0-9]/.test(found)) return null;
  // a short word is one of what goes on below; base64 of the last line is padded, or has a digit or capitals
  if (least < LEAST_ALONE && found.length < LEAST_ALONE && !/[=+/0-9]|[a-z][A-Z]|[A-Z]{2}/.test(found)) return null;
  const start = line.indexOf(found);
  return { start, end: start + found.length };
}

/** Base64 of any length between what stands around the other lines. */
function alike(line: string, shape: string): Line | null {
  if (line.length > LONGEST_SHAPE) return null;
  for (const match of line.matchAll(EACH)) {
    const run = { start: match.index, end: match.index + match[0].length };
    if (isAlike(shapeOf(line, run), shape)) return run;
  }
  return null;
}

/** The same around both, or more around the first or the last element of a list. */
function isAlike(one: string, other: string): boolean {
  if (one === other) return true;
  const [before = "", behind = ""] = one.split("\n");
  const [otherBefore = "", otherBehind = ""] = other.split("\n");
  return (
    (before.trim() === "") === (otherBefore.trim() === "") &&
    (behind.trim() === "") === (otherBehind.trim() === "") &&
    (before.trim() !== "" || before === otherBefore) &&
    (before.endsWith(otherBefore) || otherBefore.endsWith(before)) &&
    (behind.startsWith(otherBehind) || otherBehind.startsWith(behind))
  );
}
