import { isCredential } from "../detect/secrets/credential.ts";
import { mayNameNumber } from "../names/name-class.ts";
import { namesValues } from "../names/names-values.ts";
import { isSecretName } from "../names/secret-name.ts";
import type { Frame, Leaf } from "./json-leaf.ts";

const HEAD = /^[\p{L}_#][\p{L}\p{M}\p{N}_ .#/()'-]{0,39}$/u;
const MOST_WORDS = 4;
const PASSWORD = /(?:pass(?:word|wd|code|phrase)?s?|pwd|kennwort|passwort|contraseña|otp)$/i;

interface Table {
  /** null: the first row is no head */
  head: Leaf[] | null;
  readonly cells: Leaf[];
  /** null: not computed yet */
  namesNumbers: boolean | null;
}

/** `[["user", "password"], ["ada", "…"]]`: rows of which the first one names the columns, as spreadsheets and readers of CSV give them. */
export class HeadRows {
  readonly #valueOf: (leaf: Leaf) => string;
  readonly #tables = new Map<Frame, Table>();

  constructor(valueOf: (leaf: Leaf) => string) {
    this.#valueOf = valueOf;
  }

  /** Takes note of a text or a number in a row. */
  cell(row: Frame, leaf: Leaf): void {
    const { parent, position } = row;
    if (parent?.array !== true) return;
    let table = this.#tables.get(parent);
    if (table === undefined) {
      if (position !== 0 || leaf.position !== 0) return;
      this.#tables.set(parent, (table = { head: [], cells: [], namesNumbers: null }));
    }
    if (table.head === null) return;
    if (position > 0) table.cells.push(leaf);
    else if (leaf.position === table.head.length && !leaf.isNumber) table.head.push(leaf);
    else table.head = null;
  }

  /** Whether a number in a row may be the value of a name in the first row. */
  mayHoldNumber({ parent, position }: Frame): boolean {
    const table = parent?.array === true && position > 0 ? this.#tables.get(parent) : undefined;
    if (table === undefined) return false;
    return (table.namesNumbers ??= table.head?.some((name) => mayNameNumber(this.#valueOf(name))) === true);
  }

  /** The cells of an array of rows that has ended, each with the name above it. */
  of(rows: Frame): [name: Leaf, cell: Leaf][] {
    const { head = null, cells = [] } = this.#tables.get(rows) ?? {};
    this.#tables.delete(rows);
    if (head === null || head.length < 2 || cells.length === 0) return [];
    const names = head.map((name) => this.#valueOf(name));
    if (new Set(names).size < names.length || !names.every(isName)) return [];
    if (names.length === 2 && cells.some((cell) => this.#isOfPair(cell))) return [];
    return cells.flatMap((cell): [Leaf, Leaf][] => {
      const name = names[cell.position];
      // a list of pairs is no table: there the first one is the name
      if (name === undefined || (names.length === 2 && cell.position === 0)) return [];
      return isSecretName(name) && !this.#maySecret(cell, name, names.length)
        ? []
        : [[head[cell.position] as Leaf, cell]];
    });
  }

  /** Whether the first cell of a row names the second one: then the rows are pairs, as of headers. */
  #isOfPair(cell: Leaf): boolean {
    return cell.position === 0 && namesValues(this.#valueOf(cell));
  }

  /** Two columns may be pairs all the same. */
  #maySecret(cell: Leaf, name: string, width: number): boolean {
    const value = this.#valueOf(cell);
    return isCredential(value, true) || (width > 2 && PASSWORD.test(name) && value.length >= 4 && !/\s/.test(value));
  }
}

const isName = (name: string): boolean => HEAD.test(name) && name.split(" ").length <= MOST_WORDS;
