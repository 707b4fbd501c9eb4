import type { Change } from "../scrub/change.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import { below, joined, type Nesting } from "../scrub/nesting.ts";
import { sqlValues } from "./sql-values.ts";
import { behindMark } from "./table-cells.ts";

const SEPARATORS = [",", ";", "\t", "|"] as const;
const LONGEST_HEAD = 64 * 1024;
const QUOTE = '"';

interface Row {
  readonly cells: readonly { readonly start: number; readonly end: number; readonly quoted: boolean }[];
  /** behind its line end */
  readonly next: number;
}

/**
 * Changes in the columns of tables that a policy denies, by the names in their heads: rows are read to the end of the
 * text, with line ends and doubled quotes in quoted cells. A line without a separator ends the table. The same for the
 * values of SQL statements.
 */
export function deniedCells(text: string, context: ScanContext, nest: Nesting): Change[] {
  if (nest.path === null || context.paths?.denies !== true) return [];
  const out: Change[] = [];
  readTables(
    text,
    (name) => isDenied(name, context, nest),
    (cell, name) => out.push(...cellChange(text, cell, name, context, nest)),
  );
  for (const cell of sqlValues(text, (name) => isDenied(name, context, nest), true))
    out.push(...cellChange(text, { ...cell, quoted: false }, cell.name, context, nest));
  return out;
}

/** The head of the table whose rows reach to the end of a text, so that it also names what follows; empty: there is none. */
export const openDeniedHead = (text: string, denies: (name: string) => boolean): string =>
  readTables(text, denies, () => {});

function readTables(
  text: string,
  denies: (name: string) => boolean,
  take: (cell: Row["cells"][number], name: string) => void,
): string {
  for (let from = 0; from < text.length;) {
    const feed = text.indexOf("\n", from);
    if (feed === -1) break;
    const table = headAt(text, from, feed, denies);
    const begin = from;
    from = table === null ? feed + 1 : rows(text, table, take);
    if (table !== null && from >= text.length) return text.slice(begin, feed + 1);
  }
  return "";
}

interface Table {
  readonly separator: string;
  /** names of denied columns, by their indices */
  readonly denied: ReadonlyMap<number, string>;
  readonly width: number;
  /** each line has its number or a mark of quoting */
  readonly isMarked: boolean;
  readonly from: number;
}

function headAt(text: string, begin: number, feed: number, denies: (name: string) => boolean): Table | null {
  const from = behindMark(text, begin);
  if (feed - from > LONGEST_HEAD) return null;
  // an output is marked once
  const isMarked = from > begin && text[begin] !== "<";
  for (const separator of SEPARATORS) {
    if (!text.slice(from, feed).includes(separator)) continue;
    const { cells, next } = rowAt(text, from, separator, feed);
    const denied = new Map<number, string>();
    for (const [column, { start, end }] of cells.entries()) {
      const name = text.slice(start, end).replaceAll('""', QUOTE);
      if (name !== "" && denies(name)) denied.set(column, name);
    }
    if (denied.size > 0) return { separator, denied, width: cells.length, isMarked, from: next };
  }
  return null;
}

/** A column stands below its text, or below each of its rows. */
function isDenied(name: string, { paths }: ScanContext, { path }: Nesting): boolean {
  const at = path ?? "";
  return [joined(at, name), joined(joined(at, "0"), name)].some((each) => paths?.of(each) === "deny");
}

function rows(text: string, table: Table, take: (cell: Row["cells"][number], name: string) => void): number {
  const { separator, width, denied, isMarked } = table;
  const rowBehind = (at: number): Row => rowAt(text, isMarked ? behindMark(text, at) : at, separator);
  let from = table.from;
  while (from < text.length) {
    const { cells, next } = rowBehind(from);
    if (cells.length < 2) {
      // an empty line, with the table going on behind it
      const after = next >= text.length ? 0 : rowBehind(next).cells.length;
      if (after < 2 || Math.abs(after - width) > 1) return from;
    } else
      for (const [column, name] of denied) {
        // of a row with other cells than the head has it is not known which one belongs to the column
        const shifted = column + cells.length - width;
        const first = Math.max(0, Math.min(column, shifted));
        for (const cell of cells.slice(first, Math.max(column, shifted) + 1)) take(cell, name);
      }
    from = next;
  }
  return from;
}

/** A cell goes whole, so that the offsets of its text without doubled quotes do not matter. */
function cellChange(
  text: string,
  { start, end, quoted }: Row["cells"][number],
  name: string,
  context: ScanContext,
  nest: Nesting,
): Change[] {
  const value = text.slice(start, end);
  // the line below the head of a table between bars
  if (/^:?-*:?$/.test(value)) return [];
  const path = joined(nest.path ?? "", name);
  const at = context.paths?.of(path) === "deny" ? below(nest, name) : below(below(nest, "0"), name);
  const [first] = leafChanges(quoted ? value.replaceAll('""', QUOTE) : value, name, context, at);
  return first === undefined ? [] : [{ ...first, start, end }];
}

/** The cells of the row at `from`: without white space and quotes around them. */
function rowAt(text: string, from: number, separator: string, to = text.length): Row {
  const cells: { start: number; end: number; quoted: boolean }[] = [];
  let at = separator === BAR ? behindBar(text, from) : from;
  for (;;) {
    at = behindSpaces(text, at);
    const close = text[at] === QUOTE ? closingQuote(text, at + 1, to) : -1;
    const end = cellEnd(text, close === -1 ? at : close + 1, separator);
    if (close === -1) cells.push({ ...trimmed(text, at, end), quoted: false });
    else cells.push({ start: at + 1, end: close, quoted: true });
    if (end >= text.length || text[end] === "\n") {
      if (separator === BAR) dropEmptyEnd(cells);
      return { cells, next: Math.min(text.length, end + 1) };
    }
    at = end + 1;
  }
}
const BAR = "|";

function behindSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === " ") at++;
  return at;
}

/** Bars at both ends part no cells: behind the first one. */
function behindBar(text: string, from: number): number {
  const at = behindSpaces(text, from);
  return text[at] === BAR ? at + 1 : at;
}

/** The cell behind the last bar is none. */
function dropEmptyEnd(cells: { readonly start: number; readonly end: number }[]): void {
  const last = cells.at(-1);
  if (last !== undefined && last.end === last.start) cells.pop();
}

function cellEnd(text: string, from: number, separator: string): number {
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== "\n") end++;
  return end;
}

/** The quote that ends a cell; -1: none does, and the cell is none in quotes. */
function closingQuote(text: string, from: number, to: number): number {
  if (text.lastIndexOf(QUOTE, to) < from) return -1;
  let close = text.indexOf(QUOTE, from);
  while (close !== -1 && text[close + 1] === QUOTE) close = text.indexOf(QUOTE, close + 2);
  return close > to ? -1 : close;
}

function trimmed(text: string, start: number, end: number): { start: number; end: number } {
  while (end > start && " \r".includes(text.charAt(end - 1))) end--;
  return { start, end };
}
