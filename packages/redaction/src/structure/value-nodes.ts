import { LiteralEnds } from "./literal-ends.ts";

/** Where the nodes of a typed text (SPEC.md §6 of @reenact/envelope) stand in it. */
export interface NodeSpans {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A string of a node. Offsets are those of its content in the whole text. */
export interface TextPart {
  readonly kind: "text";
  readonly start: number;
  readonly end: number;
  readonly escaped: boolean;
}

/** A bare number or word of a node: a reference, or a value of its own. */
export interface BarePart {
  readonly kind: "bare";
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly name: TextPart;
  readonly reference: BarePart;
}

export type Part = TextPart | BarePart | { readonly kind: "members"; readonly members: readonly Member[] };

const [BEGIN_ARRAY, END_ARRAY, BEGIN_OBJECT, END_OBJECT, QUOTE, COLON, COMMA] = [91, 93, 123, 125, 34, 58, 44];

/** The nodes of a typed text; null: it is none. */
export function nodeSpans(text: string): NodeSpans | null {
  if (text.charCodeAt(0) !== BEGIN_ARRAY) return null;
  const literals = new LiteralEnds(text, text.length);
  const starts: number[] = [];
  const ends: number[] = [];
  let depth = 1;
  let start = 1;
  for (let at = 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = literals.after(at + 1);
      if (at === -1) return null;
    } else if (unit === BEGIN_ARRAY || unit === BEGIN_OBJECT) depth++;
    else if (unit === END_ARRAY || unit === END_OBJECT) depth--;
    if (depth > 1 || (depth === 1 && unit !== COMMA)) continue;
    if (at === start) return null;
    starts.push(start);
    ends.push(at);
    start = at + 1;
    if (depth === 0) return at === text.length - 1 ? { starts, ends } : null;
  }
  return null;
}

/** The parts of the node `text[start, end)`: one for a scalar or an object, each element of an array. Null: malformed. */
export function nodeParts(text: string, start: number, end: number): Part[] | null {
  const reader = new NodeReader(text.slice(start, end), start);
  const unit = text.charCodeAt(start);
  if (unit !== BEGIN_ARRAY) {
    const part = reader.part();
    return part === null || !reader.isAtEnd ? null : [part];
  }
  const parts = reader.list(END_ARRAY, () => reader.part());
  return parts === null || !reader.isAtEnd ? null : parts;
}

class NodeReader {
  readonly #raw: string;
  readonly #offset: number;
  readonly #literals: LiteralEnds;
  #at = 0;

  constructor(raw: string, offset: number) {
    this.#raw = raw;
    this.#offset = offset;
    this.#literals = new LiteralEnds(raw, raw.length);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#raw.length;
  }

  /** What stands between brackets, with commas between. */
  list<T>(close: number, read: () => T | null): T[] | null {
    const out: T[] = [];
    this.#at++;
    if (this.#raw.charCodeAt(this.#at) === close) {
      this.#at++;
      return out;
    }
    for (;;) {
      const item = read();
      if (item === null) return null;
      out.push(item);
      const unit = this.#raw.charCodeAt(this.#at++);
      if (unit === close) return out;
      if (unit !== COMMA) return null;
    }
  }

  part(): Part | null {
    const unit = this.#raw.charCodeAt(this.#at);
    if (unit === QUOTE) return this.#text();
    if (unit !== BEGIN_OBJECT) return this.#bare();
    const members = this.list(END_OBJECT, () => this.#member());
    return members === null ? null : { kind: "members", members };
  }

  #member(): Member | null {
    const name = this.#raw.charCodeAt(this.#at) === QUOTE ? this.#text() : null;
    if (name === null || this.#raw.charCodeAt(this.#at++) !== COLON) return null;
    const reference = this.#bare();
    return reference === null ? null : { name, reference };
  }

  #text(): TextPart | null {
    const from = this.#at + 1;
    const to = this.#literals.after(from);
    if (to === -1) return null;
    this.#at = to + 1;
    return { kind: "text", start: this.#offset + from, end: this.#offset + to, escaped: this.#literals.escaped };
  }

  #bare(): BarePart | null {
    const from = this.#at;
    const isBare = (unit: number): boolean =>
      (unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 122) || unit === 45 || unit === 43 || unit === 46;
    while (isBare(this.#raw.charCodeAt(this.#at)) || this.#raw.charCodeAt(this.#at) === 69) this.#at++;
    if (this.#at === from) return null;
    return { kind: "bare", start: this.#offset + from, end: this.#offset + this.#at };
  }
}
