import type { Frame, Leaf } from "./json-leaf.ts";

/** Members that name the columns of rows, as texts or as objects with a name. */
const COLUMNS = new Set(["columns", "fields", "header", "headers", "columnnames", "column_names", "cols"]);
/** Members with rows, each of them an array of cells. */
const ROWS = new Set(["rows", "values", "data", "records", "row", "results"]);
const MOST_COLUMNS = 1024;

interface Table {
  readonly names: Leaf[];
  readonly cells: Leaf[];
}

/** `{"columns": ["id", "password"], "rows": [[1, "…"]]}`: which name stands above which cell. */
export class Columns {
  readonly #tables = new Map<Frame, Table>();
  /** the array asked about last, and what it is: most have many elements */
  #last: Frame | null = null;
  #kind: "columns" | "row" | null = null;

  /** Takes note of a text or a number in an array. */
  element(frame: Frame, leaf: Leaf): void {
    const { parent } = frame;
    if (parent === null) return;
    if (frame !== this.#last) {
      this.#last = frame;
      this.#kind = isRow(frame) ? "row" : !parent.array && COLUMNS.has(frame.key.toLowerCase()) ? "columns" : null;
    }
    if (this.#kind === null) return;
    if (this.#kind === "columns") this.#name(parent, leaf.position, leaf);
    else this.#of(parent.parent as Frame).cells.push(leaf);
  }

  /** Takes note of a text that an object has as its name. */
  named(frame: Frame, leaf: Leaf): void {
    const list = frame.parent;
    if (list === null || !list.array || list.parent === null || list.parent.array) return;
    if (COLUMNS.has(list.key.toLowerCase())) this.#name(list.parent, frame.position, leaf);
  }

  /** The cells of an object that has ended, each with the name above it. */
  of(frame: Frame): [name: Leaf, cell: Leaf][] {
    if (this.#tables.size === 0) return [];
    const { names, cells } = this.#tables.get(frame) ?? { names: [], cells: [] };
    return cells.flatMap((cell) => {
      const name = names[cell.position];
      return name === undefined ? [] : [[name, cell]];
    });
  }

  #name(frame: Frame, position: number, leaf: Leaf): void {
    if (position < MOST_COLUMNS) this.#of(frame).names[position] = leaf;
  }

  #of(frame: Frame): Table {
    let table = this.#tables.get(frame);
    if (table === undefined) this.#tables.set(frame, (table = { names: [], cells: [] }));
    return table;
  }
}

/** Whether an array lists the names of columns. */
export function isColumnList({ array, parent, key }: Frame): boolean {
  return array && parent !== null && !parent.array && COLUMNS.has(key.toLowerCase());
}

/** Whether an array stands where a row of cells would. */
export function isRow({ parent }: Frame): boolean {
  const outer = parent?.parent ?? null;
  return outer !== null && !outer.array && parent !== null && parent.array && ROWS.has(parent.key.toLowerCase());
}
