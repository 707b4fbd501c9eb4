import type { Cell } from "./table-cells.ts";

const INTO = /\binto\s{1,8}[\w."`[\]]{1,128}\s{0,8}\(([^()]{1,2000})\)\s{0,8}$/i;
const LONGEST_HEAD = 2200;
const VALUE =
  /\s{0,40}(?:[NEB]?'((?:[^'\\]|''|\\[^]){0,4000})'|"((?:[^"\\]|\\[^]){0,4000})"|([^\s,()'"]{1,200}(?:\([^()]{0,200}\))?))\s{0,40}([,)])/y;
const NEXT = /\s{0,40},\s{0,40}\(/y;
const OPEN = /\s{0,40}\(/y;

/** The values of `INSERT INTO t (a, b) VALUES (…, …), (…, …)` below the names that `wants` asks for; `bare`: numbers too. */
export function sqlValues(text: string, wants: (name: string) => boolean, bare = false): Cell[] {
  const cells: Cell[] = [];
  readStatements(text, wants, bare, cells);
  return cells;
}

/** `INTO t (a, b) VALUES ` where a text ends behind one of its tuples, so that it also names what follows; empty: there is none. */
export function openInsertHead(text: string, wants: (name: string) => boolean): string {
  return readStatements(text, wants, true, []);
}

function readStatements(text: string, wants: (name: string) => boolean, bare: boolean, cells: Cell[]): string {
  let open = "";
  for (const word of ["VALUES", "values", "Values"]) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
      const head = INTO.exec(text.slice(Math.max(0, at - LONGEST_HEAD), at));
      const names = head?.[1]?.split(",").map((name) => name.trim().replace(/^["'`[]|["'`\]]$/g, ""));
      if (head === null || names === undefined || !names.some(wants)) continue;
      const end = tuples(text, at + word.length, names, wants, bare, cells);
      if (/^[\s,]*$/.test(text.slice(end, end + 80)) && text.slice(end).trim().length < 2) open = `${head[0]}${word} `;
    }
  }
  return open;
}

/** Returns where the last whole tuple ends. */
function tuples(
  text: string,
  begin: number,
  names: readonly string[],
  wants: (name: string) => boolean,
  bare: boolean,
  cells: Cell[],
): number {
  let at = after(OPEN, text, begin);
  let last = begin;
  for (let column = 0; at !== -1;) {
    VALUE.lastIndex = at;
    const match = VALUE.exec(text);
    if (match === null) return last;
    const found = match[1] ?? match[2] ?? (bare ? match[3] : undefined);
    const name = names[column++];
    if (found !== undefined && found !== "" && name !== undefined && wants(name)) {
      const quote = match[1] !== undefined ? "'" : match[2] !== undefined ? '"' : "";
      const end = quote === "" ? text.indexOf(found, at) + found.length : text.lastIndexOf(quote, VALUE.lastIndex - 1);
      cells.push({ start: end - found.length, end, name, quoted: quote !== "", kind: "values" });
    }
    at = VALUE.lastIndex;
    if (match[4] === ")") {
      column = 0;
      last = at;
      at = after(NEXT, text, at);
    }
  }
  return last;
}

function after(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}
