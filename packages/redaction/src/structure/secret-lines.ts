import type { Cell } from "./table-cells.ts";

const HEAD = /^COPY [\w."]{1,128} ?\(([^()\n]{1,2000})\) FROM stdin/gim;
const MANIFEST = /^ {0,16}(?:- )?kind: ["']?Secret["']?[ \t]*\r?$/m;
const BLOCK = /^( {0,16})(?:string)?[dD]ata:[ \t]*\n((?:\1[ \t]+[^\n]*(?:\n|$))+)/gm;
const ENTRY = /^[ \t]+[\w.-]{1,128}:[ \t]+(["']?)([^\s"'][^\n]{3,2000}?)\1[ \t]*$/gm;
/** So many lines in a row may have other cells than the head before the rows have ended. */
const MOST_ODD_ROWS = 4;
const END_OF_ROWS = "\\.";
/** Host, whether its subdomains too, path, whether encrypted only, time, name, value. */
const COOKIE_LINE =
  /^(?:#HttpOnly_)?[\w.-]{3,253}\t(?:TRUE|FALSE)\t\/[^\t\n]*\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,128}\t(\S{8,4096})$/gm;
const CODES =
  /(?:recovery|backup|rescue|scratch)[ _-]codes?:?[ \t]*\n((?:[ \t*>•-]{0,4}(?:\d{1,2}[.)] )?[A-Za-z0-9]{4,8}(?:[ -]?[A-Za-z0-9]{4,8}){0,3}[ \t]*(?:\n|$)){2,20})/gi;
const CODE = /[A-Za-z0-9]{4,8}(?:[ -]?[A-Za-z0-9]{4,8}){0,3}(?=[ \t]*$)/gm;

/** Secret values in lines of known formats: database dumps, Kubernetes manifests, cookie files, lists of recovery codes. */
export function* secretLines(text: string, wants: (name: string) => boolean): Generator<Cell> {
  if (text.includes("FROM stdin")) {
    const cells: Cell[] = [];
    readCopies(text, wants, cells);
    yield* cells;
  }
  if (text.includes("kind: ")) yield* manifests(text);
  if (text.includes("\tTRUE\t") || text.includes("\tFALSE\t"))
    for (const found of text.matchAll(COOKIE_LINE))
      yield cellAt(found.index + found[0].length, found[1] ?? "", "token");
  if (/[yehp][ _-]codes?/i.test(text) && text.includes("\n")) yield* codes(text);
}

function cellAt(end: number, value: string, name: string): Cell {
  return { start: end - value.length, end, name, quoted: true, kind: "values" };
}

/** The head of `COPY` whose rows reach to the end of a text, so that it also names what follows; empty: there is none. */
export function openCopyHead(text: string, wants: (name: string) => boolean): string {
  return text.includes("FROM stdin") ? readCopies(text, wants, []) : "";
}

/** Takes the cells below `COPY t (a, b) FROM stdin;` of PostgreSQL: rows with tabs between, up to `\\.`. */
function readCopies(text: string, wants: (name: string) => boolean, cells: Cell[]): string {
  let open = "";
  for (const head of text.matchAll(HEAD)) {
    const names = (head[1] ?? "").split(",").map((name) => name.trim().replaceAll('"', ""));
    const feed = text.indexOf("\n", head.index);
    if (names.some(wants) && feed !== -1) open = copiedRows(text, feed + 1, names, wants, cells) ? `${head[0]}\n` : "";
  }
  return open;
}

/** Returns whether the rows reach to the end of the text. Lines with other cells than the head count when a row follows. */
function copiedRows(
  text: string,
  begin: number,
  names: readonly string[],
  wants: (name: string) => boolean,
  cells: Cell[],
): boolean {
  let odd: Cell[] = [];
  let oddRows = 0;
  for (let from = begin; from < text.length;) {
    const feed = text.indexOf("\n", from);
    const to = feed === -1 ? text.length : feed;
    const row = text.slice(from, to);
    const values = row.split("\t");
    const isOdd = values.length !== names.length;
    if (row === END_OF_ROWS || (isOdd && ++oddRows > MOST_ODD_ROWS)) return false;
    let end = from - 1;
    const own: Cell[] = [];
    for (const [i, value] of values.entries()) {
      end += value.length + 1;
      const name = isOdd ? names.find(wants) : names[i];
      if (value !== "" && value !== "\\N" && name !== undefined && wants(name)) own.push(cellAt(end, value, name));
    }
    if (isOdd) odd.push(...own);
    else {
      cells.push(...odd, ...own);
      odd = [];
      oddRows = 0;
    }
    from = to + 1;
  }
  return true;
}

/** What stands below `data` and `stringData` in a document of YAML that has a Secret of Kubernetes. */
function* manifests(text: string): Generator<Cell> {
  for (let from = 0; from < text.length;) {
    const next = text.indexOf("\n---", from);
    const to = next === -1 ? text.length : next + 1;
    const document = text.slice(from, to);
    if (MANIFEST.test(document)) yield* entries(document, from);
    from = next === -1 ? to : next + 4;
  }
}

function* entries(document: string, from: number): Generator<Cell> {
  for (const block of document.matchAll(BLOCK)) {
    const begin = from + block.index + block[0].length - (block[2] ?? "").length;
    for (const entry of (block[2] ?? "").matchAll(ENTRY)) {
      const value = entry[2] ?? "";
      const end = begin + entry.index + entry[0].lastIndexOf(value) + value.length;
      yield cellAt(end, value, "secret_password");
    }
  }
}

function* codes(text: string): Generator<Cell> {
  for (const list of text.matchAll(CODES)) {
    const lines = list[1] ?? "";
    const begin = list.index + list[0].length - lines.length;
    // a list without digits holds no codes
    if (!/\d/.test(lines)) continue;
    for (const code of lines.matchAll(CODE))
      if (/\d/.test(code[0])) yield cellAt(begin + code.index + code[0].length, code[0], "password");
  }
}
