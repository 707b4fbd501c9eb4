import { alphabet, DIGITS, isDigit, isForeignLetter, isSpace, LOWER, UPPER } from "../detect/character.ts";

/** A cell of a table in a text, `text[start, end)` without quotes, and what stands above it. */
export interface Cell {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly quoted: boolean;
  /** `bars`: between bars, as prose writes tables; `list` also between lines that are drawn, as programs print them */
  readonly kind: "list" | "bars" | "values";
}

const SEPARATORS = ",;\t|";
const BAR = "|";
/** What a program draws its tables with. */
const DRAWN = "│┃║";
const isBar = (mark: string): boolean => mark === BAR || (mark !== "" && DRAWN.includes(mark));
const MOST_COLUMNS = 64;
const LONGEST_HEAD = 1000;
const LONGEST_NAME = 40;
const LONGEST_ROW = 8192;
const HEAD = /^\(?[\p{L}_#][\p{L}\p{M}\p{N}_ .#/()'-]{0,39}$/u;
const MOST_WORDS = 4;
const RULE = /^[\s|:+=\u2500-\u257f-]+$/;
const [QUOTE, APOSTROPHE] = [34, 39];
/** What tools write before each line, or before the first: its number, marks of quotes, of changes, of an output. */
export const LINE_MARK = / {0,8}\d{1,6}[→\t|] ?|> |<stdout>|[+-]/;
const MARK = new RegExp(LINE_MARK, "y");
const IN_NAME = alphabet(`${DIGITS}${UPPER}${LOWER}_-.#"'`);

/** The cells below the names of columns that `wants` asks for: rows with commas, semicolons, tabs or bars between. */
export function tableCells(text: string, wants: (name: string) => boolean): Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", from)) {
    const head = behindMark(text, from);
    // an output is marked once
    const isMarked = head > from && text[from] !== "<";
    const separator = separatorOf(text, head, feed);
    const names = separator === "" || isRow(text, head, feed, separator) ? null : namesOf(text, head, feed, separator);
    from = feed + 1;
    if (names === null) continue;
    // in a table of two columns the first one may hold the names
    const isPaired = names.length === 2 && isBar(separator);
    if (isPaired || names.some(wants)) from = rows(text, from, isMarked, separator, names, wants, cells);
  }
  return cells;
}

/** Behind what a tool writes before a line. */
export function behindMark(text: string, at: number): number {
  MARK.lastIndex = at;
  return MARK.test(text) ? MARK.lastIndex : at;
}

/** What stands behind the first name of a line that may be the head of a table; empty: nothing does. */
function separatorOf(text: string, from: number, to: number): string {
  if (to - from > LONGEST_HEAD || to - from < 3) return "";
  const first = text.charCodeAt(from);
  if (first === 124) return BAR;
  if (first > 0x2500 && DRAWN.includes(text[from] as string)) return text[from] as string;
  if (first <= 32 || isDigit(first) || !mayEndHead(text.charCodeAt(to - 1))) return "";
  const limit = Math.min(to, from + LONGEST_NAME + 2);
  let words = 1;
  for (let at = from; at < limit; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128 ? IN_NAME[unit] === 1 : isForeignLetter(unit)) continue;
    if (unit === 32) {
      if (++words > MOST_WORDS) return "";
      continue;
    }
    const mark = text[at] as string;
    return SEPARATORS.includes(mark) && at > from ? mark : "";
  }
  return "";
}

/** A letter, a digit, a quote, a bracket, white space: lines of prose and code mostly end with something else. */
const mayEndHead = (unit: number): boolean =>
  unit > 127 || (IN_NAME[unit] === 1 && unit !== 46) || unit === 41 || unit <= 32 || unit === 124;

/** A row in the middle of a table: its first cell has a number in it, and the one below is written alike. */
function isRow(text: string, from: number, to: number, separator: string): boolean {
  const first = text.indexOf(separator, from);
  if (isBar(separator) || first === -1 || first > to) return false;
  const cell = text.slice(from, first);
  if (!/\d/.test(cell)) return false;
  const below = text.slice(to + 1, to + 1 + LONGEST_NAME).split(separator, 1)[0] as string;
  return cell.replace(/\d+/g, "9") === below.replace(/\d+/g, "9");
}

/** The names of the columns; null: the line is none. */
function namesOf(text: string, from: number, to: number, separator: string): string[] | null {
  const spans = split(text, from, to, separator);
  if (spans === null || spans.length < 2) return null;
  const names: string[] = [];
  for (const { start, end } of spans) {
    const name = text.slice(start, end);
    if (!HEAD.test(name) || name.split(" ").length > MOST_WORDS) return null;
    names.push(name);
  }
  return names;
}

/** Takes the cells of all rows; returns where the first line behind them begins. */
function rows(
  text: string,
  begin: number,
  isMarked: boolean,
  separator: string,
  names: readonly string[],
  wants: (name: string) => boolean,
  cells: Cell[],
): number {
  let from = begin;
  while (from < text.length) {
    const feed = text.indexOf("\n", from);
    const to = feed === -1 ? text.length : feed;
    if (to - from > LONGEST_ROW) break;
    if (isMarked) from = behindMark(text, from);
    if (!isBar(separator) || !RULE.test(text.slice(from, to))) {
      const spans = split(text, from, to, separator);
      if (spans === null || spans.length !== names.length) break;
      const label = names.length === 2 && isBar(separator) ? labelOf(text, spans[0] as Span) : "";
      for (const [i, { start, end, quoted }] of spans.entries()) {
        const name = i === 1 && label !== "" && wants(label) ? label : (names[i] as string);
        if (end > start && wants(name))
          cells.push({ start, end, name, quoted, kind: separator === BAR ? "bars" : "list" });
      }
    }
    from = to + 1;
  }
  return from;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** The text of a cell that names the value in the next cell; an empty string if it is no name. */
function labelOf(text: string, { start, end }: Span): string {
  const label = end - start <= LONGEST_NAME ? text.slice(start, end).replaceAll(/[`*]/g, "") : "";
  return HEAD.test(label) && label.split(" ").length <= MOST_WORDS ? label : "";
}

/** The cells of one line, trimmed and without quotes; null: there are too many, or a quote is open. */
function split(text: string, from: number, to: number, separator: string): Span[] | null {
  const spans: Span[] = [];
  let [at, last] = trimmed(text, from, to);
  if (at === last) return null;
  // bars at both ends part no cells
  if (isBar(separator)) {
    if (text[at] === separator) at++;
    if (text[last - 1] === separator && last > at) last--;
  }
  const separatorUnit = separator.charCodeAt(0);
  const isDrawn = DRAWN.includes(separator);
  for (;;) {
    while (at < last && text.charCodeAt(at) === 32) at++;
    const quote = text.charCodeAt(at);
    let close = -1;
    if (quote === QUOTE && at < last) {
      close = text.indexOf('"', at + 1);
      while (close !== -1 && close < last && text.charCodeAt(close + 1) === QUOTE) close = text.indexOf('"', close + 2);
      if (close === -1 || close >= last) return null;
    }
    let end = close === -1 ? at : close + 1;
    while (end < last && text.charCodeAt(end) !== separatorUnit) end++;
    const [start, stop] = close === -1 ? trimmed(text, at, end) : [at + 1, close];
    const isText = close === -1 && isDrawn && isInApostrophes(text, start, stop);
    spans.push(isText ? { start: start + 1, end: stop - 1, quoted: true } : { start, end: stop, quoted: close !== -1 });
    if (spans.length > MOST_COLUMNS) return null;
    if (end >= last) return spans;
    at = end + 1;
  }
}

/** As `console.table` shows a text. */
const isInApostrophes = (text: string, start: number, end: number): boolean =>
  end - start > 2 && text.charCodeAt(start) === APOSTROPHE && text.charCodeAt(end - 1) === APOSTROPHE;

function trimmed(text: string, from: number, to: number): [start: number, end: number] {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start)) && text.charCodeAt(start) !== 9) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1)) && text.charCodeAt(end - 1) !== 9) end--;
  return [start, end];
}
