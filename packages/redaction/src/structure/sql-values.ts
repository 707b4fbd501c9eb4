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
  for (const word of ["VALUES", "values", "Values"]) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
      const head = INTO.exec(text.slice(Math.max(0, at - LONGEST_HEAD), at))?.[1];
      const names = head?.split(",").map((name) => name.trim().replace(/^["'`[]|["'`\]]$/g, ""));
      if (names === undefined || !names.some(wants)) continue;
      tuples(text, at + word.length, names, wants, bare, cells);
    }
  }
  return cells;
}

function tuples(
  text: string,
  begin: number,
  names: readonly string[],
  wants: (name: string) => boolean,
  bare: boolean,
  cells: Cell[],
): void {
  let at = after(OPEN, text, begin);
  for (let column = 0; at !== -1;) {
    VALUE.lastIndex = at;
    const match = VALUE.exec(text);
    if (match === null) return;
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
      at = after(NEXT, text, at);
    }
  }
}

function after(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}
