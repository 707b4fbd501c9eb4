import type { Cut } from "./cut.ts";
import { type Frame, isMark, type Leaf, newFrame } from "./json-leaf.ts";
import { LeafNames } from "./leaf-names.ts";
import { decodeLiteral } from "./literal.ts";
import { LiteralEnds } from "./literal-ends.ts";
import { octetsOf } from "./octet-list.ts";
import { isRequestMember } from "./role.ts";

/** By the letter of the grammar: what only looks like a number may be an address or an identifier. */
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** Lists that name the values of another list of their object, or are named by one. */
const READ_TOGETHER = /^(?:col(?:umn)?s?|column_?names|fields?|headers?|schema|val(?:ue)?s?|v)$/i;
/** what `null` begins with: it says that there is no value */
const NULL = 110;
/** Fewer bytes hold nothing. */
const LEAST_OCTETS = 4;
/** As JSON shows them: more bytes are no name, and no credential in a list of headers. */
const LONGEST_OCTETS = 16_384;
const MINUS = 45;
const LITERALS = ["true", "false", "null"] as const;
const [BEGIN_ARRAY, END_ARRAY, BEGIN_OBJECT, END_OBJECT, QUOTE, COLON, COMMA] = [91, 93, 123, 125, 34, 58, 44];

/** What may come next. */
const EXPECT = { first: 0, colon: 1, value: 2, after: 3, name: 4 } as const;

/**
 * The strings of one or more JSON documents, and the numbers under secret names (`numbers`: all), without parsing
 * their values. Null when the text is not wholly JSON: then it has to be read as plain text, since something could
 * stand between the literals. `scalars`: all numbers and truth values. `cuts` is filled with the ends of elements of arrays in the outermost object.
 */
export function jsonLeaves(text: string, numbers = false, cuts: Cut[] | null = null, scalars = false): Leaf[] | null {
  return new LeafReader(text, numbers || scalars, cuts, scalars).read();
}

/** What was read of a document. `leaves`: null, it is none; then `end` is how far it looked like one. */
export interface ReadJson {
  readonly leaves: Leaf[] | null;
  readonly end: number;
  /** the text ends within it */
  readonly isCut: boolean;
}

/** The strings of the document that begins at `from`. */
export function firstJson(text: string, from: number, scalars = false): ReadJson {
  const reader = new LeafReader(text, scalars, null, scalars);
  const leaves = reader.read(from);
  return { leaves, end: reader.end, isCut: reader.isCut };
}

class LeafReader {
  readonly #text: string;
  readonly #ends: LiteralEnds;
  readonly #leaves: Leaf[] = [];
  readonly #names: LeafNames;
  readonly #cuts: Cut[] | null;
  readonly #scalars: boolean;
  /** where the content of the last array in the outermost object begins */
  #arrayFrom = -1;
  #frame: Frame | null = null;
  /** the array whose elements from here on are no cuts */
  #together: Frame | null = null;
  #expect: number = EXPECT.value;
  #name = "";
  #roots = 0;
  end = 0;
  isCut = false;

  constructor(text: string, numbers: boolean, cuts: Cut[] | null, scalars: boolean) {
    this.#scalars = scalars;
    this.#text = text;
    this.#cuts = cuts;
    this.#ends = new LiteralEnds(text, text.length);
    this.#names = new LeafNames((leaf) => this.#valueOf(leaf), numbers);
  }

  read(first = -1): Leaf[] | null {
    const text = this.#text;
    for (let at = Math.max(first, 0); at < text.length;) {
      const unit = text.charCodeAt(at);
      if (unit === 32 || unit === 10 || unit === 13 || unit === 9) at++;
      else {
        at = this.#step(unit, at);
        if (at === -1) return null;
        this.end = at;
        if (first !== -1 && this.#roots > 0) break;
      }
    }
    this.isCut = this.#frame !== null || this.#expect !== EXPECT.value;
    if (this.isCut) return null;
    return this.#names.settle(this.#leaves);
  }

  /** Where to go on; -1: not JSON. */
  #step(unit: number, at: number): number {
    if (this.#expect === EXPECT.colon) {
      this.#expect = EXPECT.value;
      return unit === COLON ? at + 1 : -1;
    }
    if (unit === END_ARRAY || unit === END_OBJECT) return this.#close(unit === END_ARRAY, at);
    if (this.#expect === EXPECT.after) return unit === COMMA ? this.#comma(at) : -1;
    const frame = this.#frame;
    const isName = frame !== null && !frame.array && this.#expect !== EXPECT.value;
    if (unit === QUOTE) return this.#string(at + 1, isName);
    if (isName) return -1;
    if (unit !== BEGIN_OBJECT && unit !== BEGIN_ARRAY) return this.#scalar(at);
    this.#open(unit === BEGIN_ARRAY, at + 1);
    if (frame !== null && frame.parent === null) this.#arrayFrom = at + 1;
    return at + 1;
  }

  /** The bracket that ends an array or an object stands at `at`. */
  #close(array: boolean, at: number): number {
    const frame = this.#frame;
    const mayEnd = this.#expect === EXPECT.first || this.#expect === EXPECT.after;
    if (frame === null || frame.array !== array || !mayEnd) return -1;
    this.#cut(frame, at);
    this.#names.closed(frame);
    this.#frame = frame.parent;
    const least = frame.parent?.isBuffer === true ? 1 : LEAST_OCTETS;
    if (frame.octets >= least && frame.octets === frame.index) this.#octets(frame, at);
    this.#settled();
    return at + 1;
  }

  #comma(at: number): number {
    const frame = this.#frame;
    if (frame === null) return -1;
    this.#cut(frame, at);
    this.#expect = frame.array ? EXPECT.value : EXPECT.name;
    return at + 1;
  }

  #string(start: number, isName: boolean): number {
    const end = this.#ends.after(start);
    if (end === -1) {
      this.isCut = true;
      return -1;
    }
    const leaf = this.#leaf(start, end, isName, false);
    if (end > start) this.#leaves.push(leaf);
    if (isName) {
      this.#name = this.#valueOf(leaf);
      this.#expect = EXPECT.colon;
    } else {
      if (leaf.frame !== null) {
        this.#names.string(leaf.frame, leaf, this.#name, this.#text);
        if (this.#name === "type" && this.#text.startsWith('Buffer"', start)) leaf.frame.isBuffer = true;
      }
      this.#settled();
    }
    return end + 1;
  }

  #leaf(start: number, end: number, isName: boolean, isNumber: boolean): Leaf {
    const frame = this.#frame;
    const member = isName || frame === null ? "" : frame.array ? frame.key : this.#name;
    const escaped = !isNumber && this.#ends.escaped;
    const position = frame?.index ?? 0;
    return { start, end, escaped, frame, position, isName, isNumber, member, key: member, typed: null };
  }

  #scalar(at: number): number {
    const frame = this.#frame;
    // several documents may follow each other; several bare numbers are a text
    if (frame === null && this.#roots > 0) return -1;
    const end = scalarEnd(this.#text, at);
    if (end === -1) return -1;
    const isLeaf = this.#scalars && this.#text.charCodeAt(at) !== NULL;
    const isNumberLeaf = frame !== null && this.#noteScalar(frame, at, end);
    if (isLeaf && !isNumberLeaf) this.#leaves.push(this.#leaf(at, end, false, true));
    this.#settled();
    return end;
  }

  /** Takes note of a number, a truth value or null, `text[at, end)`. Returns whether it has become a leaf. */
  #noteScalar(frame: Frame, at: number, end: number): boolean {
    const isNumber = this.#text.charCodeAt(at) <= 57;
    if (isNumber && frame.octets === frame.index && end - at <= 3) this.#octet(frame, at, end);
    if (!frame.array && isMark(this.#name)) frame.marks += `${this.#name}=${this.#text.slice(at, end)};`;
    else if (!frame.array && this.#name === "done") frame.done = true;
    else if (isNumber && this.#names.number(frame, this.#name, this.#text, at, end)) {
      const leaf = this.#leaf(at, end, false, true);
      this.#leaves.push(leaf);
      this.#names.digits(frame, leaf, this.#name);
      return true;
    }
    return false;
  }

  /** `[104, 105]`, `{"0":104,"1":105}` */
  #octet(frame: Frame, at: number, end: number): void {
    const isPlace = frame.array || this.#name === String(frame.index);
    if (isPlace && this.#text.charCodeAt(at) !== MINUS && Number(this.#text.slice(at, end)) < 256) frame.octets++;
  }

  /** Bytes as JSON shows them: the list of a Buffer, or all of a typed array. They are one leaf, where that stands. */
  #octets(frame: Frame, end: number): void {
    const shown = frame.array ? (frame.key === "data" && frame.parent?.isBuffer === true ? frame.parent : null) : frame;
    if (shown === null) return;
    while ((this.#leaves.at(-1)?.start ?? -1) >= frame.from) this.#leaves.pop();
    const { parent, key, position } = shown;
    const at = { start: frame.from, end, escaped: false, frame: parent, position, member: key, key };
    const leaf: Leaf = { ...at, isName: false, isNumber: false, typed: "octets" };
    this.#leaves.push(leaf);
    if (parent !== null) this.#names.string(parent, leaf, parent.array ? "" : key, this.#text);
  }

  #open(array: boolean, from: number): void {
    const parent = this.#frame;
    const key = parent === null ? "" : parent.array ? parent.key : this.#name;
    if (array && parent !== null && parent.parent === null && isRequestMember(key)) parent.asks = true;
    this.#frame = newFrame(parent, array, key, from);
    this.#expect = EXPECT.first;
  }

  #cut({ array, parent }: Frame, at: number): void {
    if (this.#cuts === null || !array || parent === null || parent.parent !== null || parent.array) return;
    // texts, rows and columns of one list are read together: an argument, a line of a key, a header, a cell
    if (!this.#endsObject(at) || READ_TOGETHER.test((this.#frame as Frame).key)) this.#together = this.#frame;
    if (this.#together === this.#frame) return;
    if (at > this.#arrayFrom) this.#cuts.push({ from: this.#arrayFrom, at });
  }

  #endsObject(at: number): boolean {
    let last = at - 1;
    while (last > this.#arrayFrom && this.#text.charCodeAt(last) <= 32) last--;
    return this.#text.charCodeAt(last) === END_OBJECT;
  }

  #settled(): void {
    if (this.#frame !== null) this.#frame.index++;
    else this.#roots++;
    this.#expect = this.#frame === null ? EXPECT.value : EXPECT.after;
  }

  #valueOf(leaf: Leaf): string {
    const raw = this.#text.slice(leaf.start, leaf.end);
    if (leaf.typed === "octets" && raw.length <= LONGEST_OCTETS) return octetsOf(raw).toString("latin1");
    return leaf.escaped ? (decodeLiteral(raw) ?? raw) : raw;
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
