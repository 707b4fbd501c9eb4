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
const MOST_COLUMNS = 256;
const LONGEST_HEAD = 4000;
const LONGEST_NAME = 40;
/** A cell in quotes may hold line ends. UTF-16 units */
const LONGEST_CELL = 64 * 1024;
/** So many lines in a row may have other cells than the head before the table has ended. */
const MOST_ODD_ROWS = 4;
const HEAD = /^\(?[\p{L}_#][\p{L}\p{M}\p{N}_ .#/()'-]{0,39}$/u;
const MOST_WORDS = 4;
const RULE = /^[\s|:+=\u2500-\u257f-]+$/;
/** The first and the last line of a drawn table. */
const TOP = /^\s*[┌┍┎┏╒╓╔╭]/;
const BOTTOM = /^\s*[└┕┖┗╘╙╚╰]/;
/** The line that programs draw below a head, with corners between the columns. */
const DRAWN_BELOW = /^[+-]*-\+-[+-]*\s*$/;
const [SPACE, QUOTE, APOSTROPHE] = [32, 34, 39];
/** What tools write before each line, or before the first: its number, marks of quotes, of changes, of an output. */
export const LINE_MARK = / {0,8}\d{1,6}[→\t|] ?|> |<stdout>|[+-]/;
const MARK = new RegExp(LINE_MARK, "y");
const IN_NAME = alphabet(`${DIGITS}${UPPER}${LOWER}_-.#"'`);

/** The cells below the names of columns that `wants` asks for: rows with commas, semicolons, tabs or bars between. */
export function tableCells(text: string, wants: (name: string) => boolean): Cell[] {
  const cells: Cell[] = [];
  readTables(text, wants, cells);
  return cells;
}

/** The head of the table whose rows reach to the end of a text, so that it also names what follows; empty: there is none. */
export function openHead(text: string, wants: (name: string) => boolean): string {
  return readTables(text, wants, []);
}

function readTables(text: string, wants: (name: string) => boolean, cells: Cell[]): string {
  let from = 0;
  for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", from)) {
    const table = tableAt(text, from, feed, wants);
    const begin = from;
    from = feed + 1;
    if (table === null) continue;
    const end = rows(text, from, table, wants, cells);
    if (end.isOpen) return text.slice(begin, feed + 1) + ruleBehind(text, feed);
    from = end.at;
  }
  return "";
}

/** The line that is drawn below a head, which also says what kind of table it is. */
function ruleBehind(text: string, feed: number): string {
  const line = lineBehind(text, feed);
  return RULE.test(line) && line.length < LONGEST_HEAD - 1 ? `${line}\n` : "";
}

interface Table {
  readonly separator: string;
  readonly names: readonly string[];
  /** each line has its number or a mark of quoting */
  readonly isMarked: boolean;
  readonly kind: Cell["kind"];
}

/** The table whose head is the line `text[begin, feed)`; null: the line names no column that is wanted. */
function tableAt(text: string, begin: number, feed: number, wants: (name: string) => boolean): Table | null {
  const from = behindMark(text, begin);
  const separator = separatorOf(text, from, feed);
  if (separator === "" || isRow(text, from, feed, separator)) return null;
  const names = namesOf(text, from, feed, separator);
  if (names === null) return null;
  // in a table of two columns the first one may hold the names
  if (!(names.length === 2 && isBar(separator)) && !names.some(wants)) return null;
  // an output is marked once
  const isMarked = from > begin && text[begin] !== "<";
  return { separator, names, isMarked, kind: separator === BAR ? kindOfBars(text, from, feed) : "list" };
}

/** Programs draw corners into the lines around a head, or put bars without a space between cells. */
function kindOfBars(text: string, from: number, feed: number): Cell["kind"] {
  if (DRAWN_BELOW.test(lineBehind(text, feed))) return "list";
  const head = text.slice(from, feed);
  return /^\s*\||\s\||\|\s/.test(head) ? "bars" : "list";
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
  // psql begins its lines with a space, and puts names in the middle of their columns
  if (first === 32) return DRAWN_BELOW.test(lineBehind(text, to)) ? BAR : "";
  if (first === 124) return BAR;
  if (first > 0x2500 && DRAWN.includes(text.charAt(from))) return text.charAt(from);
  if (first <= 32 || isDigit(first) || !mayEndHead(text.charCodeAt(to - 1))) return "";
  return markBehindName(text, from, Math.min(to, from + LONGEST_NAME + 2));
}

/** The separator behind the first name of a head, which has a few words; empty: something else ends it. */
function markBehindName(text: string, from: number, limit: number): string {
  let words = 1;
  for (let at = from; at < limit; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128 ? IN_NAME[unit] === 1 : isForeignLetter(unit)) continue;
    if (unit === 32) {
      if (++words > MOST_WORDS) return "";
      continue;
    }
    const mark = text.charAt(at);
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
  const below = text
    .slice(to + 1, to + 1 + LONGEST_NAME)
    .split(separator, 1)
    .join("");
  return cell.replace(/\d+/g, "9") === below.replace(/\d+/g, "9");
}

/** The names of the columns; null: the line is none. */
function namesOf(text: string, from: number, to: number, separator: string): string[] | null {
  const spans = split(text, from, to, separator, false)?.spans ?? [];
  if (spans.length < 2) return null;
  const names: string[] = [];
  for (const { start, end } of spans) {
    const name = text.slice(start, end);
    if (!HEAD.test(name) || name.split(" ").length > MOST_WORDS) return null;
    names.push(name);
  }
  return names;
}

const lineBehind = (text: string, feed: number): string =>
  text.slice(feed + 1, Math.min(lineEnd(text, feed + 1), feed + LONGEST_HEAD));

/** Where the rows of a table end; `isOpen`: with the text, and more may follow. */
interface TableEnd {
  readonly at: number;
  readonly isOpen: boolean;
}

/** Takes the cells of all rows. */
function rows(text: string, begin: number, table: Table, wants: (name: string) => boolean, cells: Cell[]): TableEnd {
  const { names, separator, kind } = table;
  let from = begin;
  let isBelowRule = false;
  while (from < text.length) {
    const { spans, next } = rowAt(text, from, table);
    const line = isBar(separator) ? text.slice(from, next) : "";
    const isRule = RULE.test(line);
    if (isRule) {
      // two lines without a row between are the last of one table and the first of another
      if (isBelowRule || TOP.test(line)) return { at: from, isOpen: false };
      if (BOTTOM.test(line)) return { at: next, isOpen: false };
    } else if (spans?.length === names.length) takeRow(text, spans, table, wants, cells);
    else if (!goesOn(text, next, table, wants)) break;
    else if (spans !== null && spans.length > 1) oddCells(spans, names, wants, kind, cells);
    isBelowRule = isRule;
    from = next;
  }
  return { at: from, isOpen: from >= text.length };
}

/** Takes the cells of a row with as many cells as the head; the first of two between bars may name the second. */
function takeRow(
  text: string,
  spans: readonly Span[],
  { names, separator, kind }: Table,
  wants: (name: string) => boolean,
  cells: Cell[],
): void {
  const label = names.length === 2 && isBar(separator) ? labelOf(text, spans[0]) : "";
  for (const [i, { start, end, quoted }] of spans.entries()) {
    const name = i === 1 && label !== "" && wants(label) ? label : (names[i] ?? "");
    if (end > start && wants(name)) cells.push({ start, end, name, quoted, kind });
  }
}

interface Row {
  /** null: the line is none */
  readonly spans: Span[] | null;
  /** behind its line end */
  readonly next: number;
}

function rowAt(text: string, begin: number, { separator, isMarked }: Table): Row {
  const from = isMarked ? behindMark(text, begin) : begin;
  const to = lineEnd(text, from);
  const row = split(text, from, to, separator, true);
  return row === null ? { spans: null, next: to + 1 } : { spans: row.spans, next: row.to + 1 };
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  return feed === -1 ? text.length : feed;
}

/** Whether one of the next lines is a row again, or the text ends before that is known. The head of another table ends one. */
function goesOn(text: string, begin: number, table: Table, wants: (name: string) => boolean): boolean {
  let from = begin;
  for (let odd = 0; odd < MOST_ODD_ROWS; odd++) {
    if (from >= text.length) return true;
    const { spans, next } = rowAt(text, from, table);
    if (spans?.length === table.names.length) return tableAt(text, from, lineEnd(text, from), wants) === null;
    from = next;
  }
  return false;
}

/** In a row with other cells than the head it is not known which of them belongs to a column: each that may does. */
function oddCells(
  spans: readonly Span[],
  names: readonly string[],
  wants: (name: string) => boolean,
  kind: Cell["kind"],
  cells: Cell[],
): void {
  for (const [i, name] of names.entries()) {
    if (!wants(name)) continue;
    const shifted = i + spans.length - names.length;
    for (const { start, end, quoted } of spans.slice(Math.max(0, Math.min(i, shifted)), Math.max(i, shifted) + 1))
      if (end > start) cells.push({ start, end, name, quoted, kind });
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const NO_CELL: Span = { start: 0, end: 0, quoted: false };

/** The text of a cell that names the value in the next cell; an empty string if it is no name. */
function labelOf(text: string, { start, end }: Span = NO_CELL): string {
  const label = end - start <= LONGEST_NAME ? text.slice(start, end).replaceAll(/[`*]/g, "") : "";
  return HEAD.test(label) && label.split(" ").length <= MOST_WORDS ? label : "";
}

/**
 * The cells of one line, trimmed and without quotes, and where the line ends: a cell in quotes may hold line ends if
 * `isLong`. Null: there are too many, or a quote is open.
 */
function split(
  text: string,
  from: number,
  lineTo: number,
  separator: string,
  isLong: boolean,
): { spans: Span[]; to: number } | null {
  const spans: Span[] = [];
  let to = lineTo;
  const line = trimmed(text, from, to);
  if (line[0] === line[1]) return null;
  let [at, last] = isBar(separator) ? withoutOuterBars(text, line, separator) : line;
  const separatorUnit = separator.charCodeAt(0);
  const isDrawn = DRAWN.includes(separator);
  for (;;) {
    while (at < last && text.charCodeAt(at) === SPACE) at++;
    const isQuoted = at < last && text.charCodeAt(at) === QUOTE;
    const close = isQuoted ? closingQuote(text, at) : -1;
    if (isQuoted && !isClosed(at, close, last, isLong)) return null;
    if (close >= last) {
      to = lineEnd(text, close);
      last = trimmed(text, close, to)[1];
    }
    const end = cellEnd(text, isQuoted ? close + 1 : at, last, separatorUnit);
    spans.push(isQuoted ? { start: at + 1, end: close, quoted: true } : bareSpan(text, at, end, isDrawn));
    if (spans.length > MOST_COLUMNS) return null;
    if (end >= last) return { spans, to };
    at = end + 1;
  }
}

/** Bars at both ends of a line part no cells. */
function withoutOuterBars(text: string, [from, to]: Stretch, bar: string): Stretch {
  const start = text[from] === bar ? from + 1 : from;
  return [start, text[to - 1] === bar && to > start ? to - 1 : to];
}

/** The quote that closes the cell in quotes at `at`, in which quotes are doubled; -1: none does. */
function closingQuote(text: string, at: number): number {
  let close = text.indexOf('"', at + 1);
  while (close !== -1 && close - at < LONGEST_CELL && text.charCodeAt(close + 1) === QUOTE)
    close = text.indexOf('"', close + 2);
  return close;
}

/** Whether a cell in quotes ends in its line, which ends at `last`, or, if `isLong`, not too far behind it. */
const isClosed = (at: number, close: number, last: number, isLong: boolean): boolean =>
  close !== -1 && (close < last || (isLong && close - at <= LONGEST_CELL));

function cellEnd(text: string, from: number, last: number, separator: number): number {
  let end = from;
  while (end < last && text.charCodeAt(end) !== separator) end++;
  return end;
}

/** A cell without quotes; drawn tables have texts in apostrophes. */
function bareSpan(text: string, from: number, to: number, isDrawn: boolean): Span {
  const [start, end] = trimmed(text, from, to);
  return isDrawn && isInApostrophes(text, start, end)
    ? { start: start + 1, end: end - 1, quoted: true }
    : { start, end, quoted: false };
}

/** As `console.table` shows a text. */
const isInApostrophes = (text: string, start: number, end: number): boolean =>
  end - start > 2 && text.charCodeAt(start) === APOSTROPHE && text.charCodeAt(end - 1) === APOSTROPHE;

type Stretch = readonly [start: number, end: number];

function trimmed(text: string, from: number, to: number): Stretch {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start)) && text.charCodeAt(start) !== 9) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1)) && text.charCodeAt(end - 1) !== 9) end--;
  return [start, end];
}
