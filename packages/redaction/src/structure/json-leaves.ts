import { isSecretName } from "../secret-name.ts";
import { decodeLiteral } from "./literal.ts";
import { LiteralEnds } from "./literal-ends.ts";

/** An object or an array on the way to a leaf. */
export interface Frame {
  readonly parent: Frame | null;
  readonly array: boolean;
  /** name under which it stands; an array's elements inherit it */
  readonly key: string;
  /** place in the parent, when that is an array */
  readonly place: number;
  /** number of the element or member now read */
  index: number;
  /** members that tell parallel streams apart: `index=0`, `item_id=…` */
  marks: string;
  /** top-level members that say what an event is */
  type: string;
  done: boolean;
}

/** A string of a JSON text. Offsets are those of its content, without the quotes. */
export interface Leaf {
  readonly start: number;
  readonly end: number;
  /** true: the content holds escapes and must be decoded */
  readonly escaped: boolean;
  readonly frame: Frame | null;
  readonly place: number;
  /** it is itself a member's name */
  readonly isName: boolean;
  key: string;
}

const MARKS = new Set(["index", "output_index", "content_index", "summary_index", "item_id"]);
const NUMBER = /-?[0-9][0-9.eE+-]*/y;
const LITERALS = ["true", "false", "null"] as const;
const [BEGIN_ARRAY, END_ARRAY, BEGIN_OBJECT, END_OBJECT, QUOTE, COLON, COMMA] = [91, 93, 123, 125, 34, 58, 44];

/** What may come next. */
const EXPECT = { first: 0, colon: 1, value: 2, after: 3, name: 4 } as const;

/**
 * The strings of one or more JSON documents, without parsing their values. Null when the text is not wholly JSON:
 * then it has to be read as plain text, since something could stand between the literals.
 */
export function jsonLeaves(text: string): Leaf[] | null {
  return new LeafReader(text).read();
}

class LeafReader {
  readonly #text: string;
  readonly #ends: LiteralEnds;
  readonly #leaves: Leaf[] = [];
  /** strings of arrays in arrays: perhaps pairs of a name and a value */
  readonly #pairs = new Map<Frame, Leaf[]>();
  /** strings under `name` and `value` of one object */
  readonly #named = new Map<Frame, { name?: Leaf; value?: Leaf }>();
  /** places in the outer array that stand for a secret member (typed values) */
  readonly #aliases = new Map<number, string>();
  #frame: Frame | null = null;
  #expect: number = EXPECT.value;
  #name = "";
  #roots = 0;

  constructor(text: string) {
    this.#text = text;
    this.#ends = new LiteralEnds(text, text.length);
  }

  read(): Leaf[] | null {
    const text = this.#text;
    for (let at = 0; at < text.length;) {
      const unit = text.charCodeAt(at);
      if (unit === 32 || unit === 10 || unit === 13 || unit === 9) at++;
      else {
        at = this.#step(unit, at);
        if (at === -1) return null;
      }
    }
    if (this.#frame !== null || this.#expect !== EXPECT.value) return null;
    if (this.#aliases.size > 0) {
      for (const leaf of this.#leaves) {
        if (leaf.frame?.array && leaf.frame.parent === null) leaf.key = this.#aliases.get(leaf.place) ?? leaf.key;
      }
    }
    return this.#leaves;
  }

  /** Where to go on; -1: not JSON. */
  #step(unit: number, at: number): number {
    const frame = this.#frame;
    if (this.#expect === EXPECT.colon) {
      this.#expect = EXPECT.value;
      return unit === COLON ? at + 1 : -1;
    }
    if (unit === END_ARRAY || unit === END_OBJECT) {
      const mayEnd = this.#expect === EXPECT.first || this.#expect === EXPECT.after;
      if (frame === null || frame.array !== (unit === END_ARRAY) || !mayEnd) return -1;
      this.#close(frame);
      return at + 1;
    }
    if (this.#expect === EXPECT.after) {
      if (unit !== COMMA || frame === null) return -1;
      this.#expect = frame.array ? EXPECT.value : EXPECT.name;
      return at + 1;
    }
    const isName = frame !== null && !frame.array && this.#expect !== EXPECT.value;
    if (unit === QUOTE) return this.#string(at + 1, isName);
    if (isName) return -1;
    if (unit === BEGIN_OBJECT || unit === BEGIN_ARRAY) {
      this.#open(unit === BEGIN_ARRAY);
      return at + 1;
    }
    return this.#scalar(at);
  }

  #string(start: number, isName: boolean): number {
    const end = this.#ends.after(start);
    if (end === -1) return -1;
    const frame = this.#frame;
    const key = isName || frame === null ? "" : frame.array ? frame.key : this.#name;
    const leaf: Leaf = { start, end, escaped: this.#ends.escaped, frame, place: frame?.index ?? 0, isName, key };
    if (end > start) this.#leaves.push(leaf);
    if (isName) {
      this.#name = this.#valueOf(leaf);
      this.#expect = EXPECT.colon;
    } else {
      if (frame !== null) this.#note(frame, leaf);
      this.#settled();
    }
    return end + 1;
  }

  #scalar(at: number): number {
    const frame = this.#frame;
    // several documents may follow each other; several bare numbers are a text
    if (frame === null && this.#roots > 0) return -1;
    const end = scalarEnd(this.#text, at);
    if (end === -1) return -1;
    if (frame !== null && !frame.array) {
      if (MARKS.has(this.#name)) frame.marks += `${this.#name}=${this.#text.slice(at, end)};`;
      else if (this.#name === "done") frame.done = true;
      else if (frame.parent?.array && frame.parent.parent === null && isSecretName(this.#name)) {
        this.#aliases.set(Number(this.#text.slice(at, end)), this.#name);
      }
    }
    this.#settled();
    return end;
  }

  #open(array: boolean): void {
    const parent = this.#frame;
    const key = parent === null ? "" : parent.array ? parent.key : this.#name;
    this.#frame = { parent, array, key, place: parent?.index ?? 0, index: 0, marks: "", type: "", done: false };
    this.#expect = EXPECT.first;
  }

  #close(closed: Frame): void {
    let name: Leaf | undefined;
    let value: Leaf | undefined;
    if (closed.array) {
      const pair = this.#pairs.get(closed);
      if (closed.index === 2 && pair?.length === 2) [name, value] = pair;
    } else ({ name, value } = this.#named.get(closed) ?? {});
    if (name !== undefined && value !== undefined && isSecretName(this.#valueOf(name))) value.key = this.#valueOf(name);
    this.#frame = closed.parent;
    this.#settled();
  }

  #settled(): void {
    if (this.#frame !== null) this.#frame.index++;
    else this.#roots++;
    this.#expect = this.#frame === null ? EXPECT.value : EXPECT.after;
  }

  #valueOf(leaf: Leaf): string {
    const raw = this.#text.slice(leaf.start, leaf.end);
    return leaf.escaped ? (decodeLiteral(raw) ?? raw) : raw;
  }

  #note(frame: Frame, leaf: Leaf): void {
    const name = this.#name;
    if (frame.array) {
      if (!frame.parent?.array || frame.index > 2) return;
      this.#pairs.set(frame, [...(this.#pairs.get(frame) ?? []), leaf]);
    } else if (MARKS.has(name)) frame.marks += `${name}=${this.#text.slice(leaf.start, leaf.end)};`;
    else if (name === "type" && frame.parent === null) frame.type = this.#text.slice(leaf.start, leaf.end);
    else if (name === "jsonrpc" && frame.parent === null) frame.type = "jsonrpc";
    else if (name === "name" || name === "key") this.#named.set(frame, { ...this.#named.get(frame), name: leaf });
    else if (name === "value") {
      this.#named.set(frame, { ...this.#named.get(frame), value: leaf });
      if (isSecretName(frame.key)) leaf.key = frame.key;
    }
  }
}

function scalarEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit > 57) {
    for (const literal of LITERALS) if (text.startsWith(literal, at)) return at + literal.length;
    return -1;
  }
  NUMBER.lastIndex = at;
  return NUMBER.test(text) ? NUMBER.lastIndex : -1;
}
