import { isViewTag } from "@reenact/envelope";
import { fieldContext } from "../names/field-context.ts";
import { isSecretName } from "../names/secret-name.ts";
import { type Frame, type Leaf, newFrame, type TypedText } from "./json-leaf.ts";
import { LeafNames, namesList, shortestNumber, TYPED } from "./leaf-names.ts";
import { decodeLiteral } from "./literal.ts";
import {
  type BarePart,
  type Member,
  nodeParts,
  type NodeSpans,
  nodeSpans,
  type Part,
  type TextPart,
} from "./value-nodes.ts";

/** A leaf of a typed value, with the reference that leads to it here. */
export interface ValueLeaf extends Leaf {
  /** the node that it is; -1: it is a part of one */
  readonly node: number;
  /** where the reference stands; null: it is the value itself */
  readonly reference: BarePart | null;
}

export interface ValueLeaves {
  readonly leaves: readonly ValueLeaf[];
  readonly spans: NodeSpans;
  /** every reference to a number that may be a leaf elsewhere */
  readonly numbers: readonly NumberReference[];
}

export interface NumberReference {
  readonly node: number;
  readonly reference: BarePart;
}

/** What stands in an object or an array: a reference under a name or an index, or a list of them. */
interface Item {
  readonly name: TextPart | null;
  /** the node that the name is, of a map's key */
  readonly nameNode: number;
  readonly nameReference: BarePart | null;
  readonly reference: BarePart | null;
  readonly inner: { readonly items: readonly Item[]; readonly array: boolean } | null;
}

interface Visit {
  readonly frame: Frame;
  readonly items: readonly Item[];
  next: number;
  readonly node: number;
}

const QUOTE = 34;
const [BEGIN_ARRAY, BEGIN_OBJECT] = [91, 123];
/** of numbers, of `true` and `false` */
const [LAST_DIGIT, LETTER_F, LETTER_T] = [57, 102, 116];
/** A value with many references is read once for each context that names it in another way. */
const MOST_READ = 50_000;
const READ_EACH = 16;

/**
 * The leaves of a typed value, under the names that they would have in JSON: a map is an object, a set an array, an error
 * an object with its message and its own properties. Null: the text is no typed text. Throws where so much is shared that
 * reading all of it takes too long. `numbers`: all numbers, and each reference to a shared value.
 */
export function valueLeaves(text: string, numbers: boolean): ValueLeaves | null {
  const spans = nodeSpans(text);
  if (spans === null) return null;
  const reader = new ValueReader(text, spans, numbers);
  const leaves = reader.read();
  return leaves === null ? null : { leaves, spans, numbers: reader.numbers };
}

/** In base64: longer bytes are no name, and no credential in a list of headers. */
const LONGEST_BYTES = 4096;

class ValueReader {
  readonly #text: string;
  readonly #spans: NodeSpans;
  readonly #everywhere: boolean;
  readonly numbers: NumberReference[] = [];
  readonly #leaves: ValueLeaf[] = [];
  readonly #names: LeafNames;
  readonly #stack: Visit[] = [];
  readonly #visited: Uint8Array;
  /** of nodes with parts: the contexts in which they were read */
  readonly #contexts = new Map<number, string[]>();
  readonly #open = new Set<number>();
  readonly #errors = new Set<Frame>();
  #left: number;
  #broken = false;

  constructor(text: string, spans: NodeSpans, numbers: boolean) {
    this.#text = text;
    this.#spans = spans;
    this.#everywhere = numbers;
    this.#visited = new Uint8Array(spans.starts.length);
    this.#left = MOST_READ + READ_EACH * spans.starts.length;
    this.#names = new LeafNames((leaf) => this.#valueOf(leaf), numbers, false);
  }

  read(): ValueLeaf[] | null {
    // what nothing refers to is read all the same
    for (let node = 0; node < this.#visited.length && !this.#broken; node++) {
      if (this.#visited[node] === 1) continue;
      this.#value(node, null, null, "");
      this.#unwind();
    }
    // only the leaves of this reader go in
    return this.#broken ? null : (this.#names.settle(this.#leaves) as ValueLeaf[]);
  }

  #unwind(): void {
    for (let visit = this.#stack.at(-1); visit !== undefined && !this.#broken; visit = this.#stack.at(-1)) {
      const item = visit.items[visit.next++];
      if (item !== undefined) this.#item(item, visit.frame);
      else {
        this.#names.closed(visit.frame);
        this.#stack.pop();
        if (visit.node !== -1) this.#open.delete(visit.node);
        if (visit.frame.parent !== null) visit.frame.parent.index++;
      }
    }
  }

  #item(item: Item, frame: Frame): void {
    let name = "";
    if (item.name !== null) {
      const leaf = this.#leaf(item.name, frame, "", item.nameNode, item.nameReference, { isName: true });
      if (leaf.end > leaf.start) this.#leaves.push(leaf);
      name = this.#valueOf(leaf);
    }
    if (item.inner !== null) this.#enter(item.inner.items, item.inner.array, frame, name, -1);
    else if (item.reference !== null) this.#refer(item.reference, frame, name);
  }

  #refer(reference: BarePart, frame: Frame, name: string): void {
    const node = this.#nodeOf(reference);
    if (node < 0) frame.index++;
    else if (node >= this.#spans.starts.length) this.#broken = true;
    else this.#value(node, reference, frame, name);
  }

  #nodeOf({ start, end }: BarePart): number {
    const node = Number(this.#text.slice(start, end));
    return Number.isInteger(node) ? node : Number.POSITIVE_INFINITY;
  }

  #value(node: number, reference: BarePart | null, frame: Frame | null, name: string): void {
    if (--this.#left < 0) throw new RangeError("too much of the value is shared");
    this.#visited[node] = 1;
    const start = this.#spans.starts[node] ?? 0;
    const end = this.#spans.ends[node] ?? 0;
    const unit = this.#text.charCodeAt(start);
    if (unit === BEGIN_OBJECT || unit === BEGIN_ARRAY) return this.#composite(node, reference, frame, name);
    if (unit === QUOTE) {
      const raw = this.#text.slice(start + 1, end - 1);
      const part: TextPart = { kind: "text", start: start + 1, end: end - 1, escaped: raw.includes("\\") };
      return this.#string(this.#leaf(part, frame, name, node, reference), frame, name);
    }
    this.#literal(node, unit, reference, frame, name);
    skip(frame);
  }

  /** A number, a truth value or null, whose first character is `unit`. */
  #literal(node: number, unit: number, reference: BarePart | null, frame: Frame | null, name: string): void {
    const part = { start: this.#spans.starts[node] ?? 0, end: this.#spans.ends[node] ?? 0, escaped: false };
    const { start, end } = part;
    const isTruth = this.#everywhere && (unit === LETTER_T || unit === LETTER_F);
    const isNumber = unit <= LAST_DIGIT;
    const isLong = (): boolean => end - start >= shortestNumber(frame?.array === true ? frame.key : name);
    if (reference !== null && (isTruth || (isNumber && isLong()))) this.numbers.push({ node, reference });
    const isLeaf = isTruth || (frame !== null && isNumber && this.#names.number(frame, name, this.#text, start, end));
    if (!isLeaf) return;
    const leaf = this.#leaf(part, frame, name, node, reference, { isNumber: true });
    this.#leaves.push(leaf);
    if (frame !== null && !isTruth) this.#names.digits(frame, leaf, name);
  }

  #string(leaf: ValueLeaf, frame: Frame | null, name: string): void {
    if (leaf.end > leaf.start) this.#leaves.push(leaf);
    if (frame === null) return;
    this.#names.string(frame, leaf, name, this.#text);
    if (ERROR_TEXTS.has(name) && this.#errors.has(frame)) ofError(leaf, frame);
    frame.index++;
  }

  #composite(node: number, reference: BarePart | null, frame: Frame | null, name: string): void {
    const { starts, ends } = this.#spans;
    const parts = nodeParts(this.#text, starts[node] ?? 0, ends[node] ?? 0);
    if (parts === null) return void (this.#broken = true);
    const [tag, ...rest] = parts;
    if (tag?.kind === "members") return this.#object(node, [tag], frame, name);
    if (tag?.kind !== "text") {
      if (this.#mayEnter(node, frame, name)) this.#enter(elements(parts), true, frame, name, node);
      return;
    }
    this.#tagged(node, this.#text.slice(tag.start, tag.end), rest, reference, frame, name);
  }

  #tagged(
    node: number,
    tag: string,
    rest: readonly Part[],
    reference: BarePart | null,
    frame: Frame | null,
    name: string,
  ): void {
    const [first] = rest;
    switch (tag) {
      case "Array":
      case "null":
      case "object":
      case "Instance":
      case "Error":
        return this.#object(node, rest, frame, name, tag);
      case "Map":
      case "Headers":
        return this.#map(node, rest, frame, name);
      case "Set":
        if (this.#mayEnter(node, frame, name)) this.#enter(elements(rest), true, frame, name, node);
        return;
      case "Boxed":
        if (first?.kind !== "bare") return void (this.#broken = true);
        if (frame === null) this.#enter(elements([first]), true, null, "", node);
        else this.#refer(first, frame, name);
        return;
      default:
        return this.#scalar(node, tag, first, reference, frame, name);
    }
  }

  /** A value that is one text, whatever it is. */
  #scalar(
    node: number,
    tag: string,
    first: Part | undefined,
    reference: BarePart | null,
    frame: Frame | null,
    name: string,
  ): void {
    if (first?.kind === "bare" && isViewTag(tag)) {
      const bytes = this.#bytesOf(first);
      if (bytes === null) return void (this.#broken = true);
      return this.#scalar(node, tag, bytes, reference, frame, name);
    }
    const typed = KINDS[tag] ?? (isViewTag(tag) ? tag : null);
    if (typed === null || first === undefined || first.kind === "members") return void (this.#broken = true);
    if (this.#isInvalid(first)) return skip(frame);
    const part = first.kind === "text" ? first : { ...first, escaped: false };
    const isPrimitive = tag === "BigInt" || tag === "Symbol";
    const leaf = this.#leaf(part, frame, name, isPrimitive ? node : -1, reference, {
      typed: typed === "plain" ? null : typed,
    });
    this.#string(leaf, frame, name);
  }

  /** `null` instead of a time: an invalid date. */
  #isInvalid({ kind, start }: BarePart | TextPart): boolean {
    return kind === "bare" && this.#text.startsWith("null", start);
  }

  /** The bytes that a view refers to; null: they are not there. */
  #bytesOf(reference: BarePart): TextPart | null {
    const node = this.#nodeOf(reference);
    const start = this.#spans.starts[node];
    if (start === undefined) return null;
    this.#visited[node] = 1;
    const [, bytes] = nodeParts(this.#text, start, this.#spans.ends[node] ?? 0) ?? [];
    return bytes?.kind === "text" ? bytes : null;
  }

  /** Everything with members; of an error and an instance also what they say of themselves. */
  #object(node: number, parts: readonly Part[], frame: Frame | null, name: string, tag = ""): void {
    if (!this.#mayEnter(node, frame, name)) return;
    const members = parts.flatMap((part) => (part.kind === "members" ? part.members.map(itemOf) : []));
    const isArray = tag === "Array";
    const own = this.#enter(isArray ? indexed(this.#text, members) : members, isArray, frame, name, node);
    const texts = parts.flatMap((part) => (part.kind === "text" ? [part] : []));
    if (tag === "Error") {
      const [className, , errorName, message] = texts;
      for (const part of [className, errorName]) if (part !== undefined) this.#leaves.push(this.#leaf(part, own, ""));
      if (message !== undefined) {
        const leaf = this.#leaf(message, own, "message");
        if (leaf.end > leaf.start) this.#leaves.push(leaf);
        this.#names.string(own, leaf, "message", this.#text);
        ofError(leaf, own);
      }
      this.#errors.add(own);
    } else if (texts[0] !== undefined) this.#leaves.push(this.#leaf(texts[0], own, ""));
  }

  /** Entries under names are members; others are pairs. */
  #map(node: number, rest: readonly Part[], frame: Frame | null, name: string): void {
    if (!this.#mayEnter(node, frame, name)) return;
    const named: Item[] = [];
    const pairs: Item[] = [];
    for (let at = 0; at + 1 < rest.length; at += 2) {
      const [key, value] = [rest[at] as Part, rest[at + 1] as Part];
      if (key.kind !== "bare" || value.kind !== "bare") return void (this.#broken = true);
      const keyNode = this.#nodeOf(key);
      const start = this.#spans.starts[keyNode] ?? -1;
      if (start === -1 || this.#text.charCodeAt(start) !== QUOTE) {
        pairs.push({ ...NO_ITEM, inner: { items: elements([key, value]), array: true } });
        continue;
      }
      this.#visited[keyNode] = 1;
      const end = (this.#spans.ends[keyNode] ?? 0) - 1;
      const escaped = this.#text.slice(start + 1, end).includes("\\");
      const nameText: TextPart = { kind: "text", start: start + 1, end, escaped };
      named.push({ name: nameText, nameNode: keyNode, nameReference: key, reference: value, inner: null });
    }
    if (pairs.length === 0) this.#enter(named, false, frame, name, node);
    else this.#enter([...pairs, ...asObject(named)], true, frame, name, node);
  }

  #enter(items: readonly Item[], array: boolean, parent: Frame | null, name: string, node: number): Frame {
    const frame = newFrame(parent, array, parent?.array === true ? parent.key : name, 0);
    this.#stack.push({ frame, items, next: 0, node });
    if (node !== -1) this.#open.add(node);
    return frame;
  }

  /** Whether a node with parts is to be read here: not inside itself, and once for each context. */
  #mayEnter(node: number, frame: Frame | null, name: string): boolean {
    const may = !this.#open.has(node) && (this.#everywhere || this.#isNew(node, frame, name));
    if (!may) skip(frame);
    return may;
  }

  #isNew(node: number, frame: Frame | null, name: string): boolean {
    const key = frame === null ? "" : frame.array ? frame.key : name;
    const known = this.#contexts.get(node);
    const context = `${frame?.array === true ? 1 : 0}${namesList(key) || isSecretName(key) ? key : fieldContext(key).slot} ${frame?.secret ?? ""}`;
    if (known === undefined) this.#contexts.set(node, [context]);
    else if (known.includes(context)) return false;
    else known.push(context);
    return true;
  }

  #leaf(
    { start, end, escaped }: Pick<TextPart, "start" | "end" | "escaped">,
    frame: Frame | null,
    name: string,
    node = -1,
    reference: BarePart | null = null,
    more: Partial<Pick<Leaf, "isName" | "isNumber" | "typed">> = {},
  ): ValueLeaf {
    const member = frame === null || more.isName === true ? "" : frame.array ? frame.key : name;
    const own = { start, end, escaped, frame, position: frame?.index ?? 0, member, key: member, node, reference };
    return { ...own, isName: false, isNumber: false, typed: null, ...more };
  }

  /** The text of a leaf. Short bytes give the text that they hold, since it may be the name of the value beside them. */
  #valueOf({ start, end, escaped, typed }: Leaf): string {
    const raw = this.#text.slice(start, end);
    if (typed === "bytes" && raw.length <= LONGEST_BYTES) return Buffer.from(raw, "base64").toString("latin1");
    return escaped ? (decodeLiteral(raw) ?? raw) : raw;
  }
}

/** An element or a member without a leaf. */
function skip(frame: Frame | null): void {
  if (frame !== null) frame.index++;
}

/** Members of an error that hold its text. */
const ERROR_TEXTS: ReadonlySet<string> = new Set(["stack", "message", "toString"]);

/** What an error says is all that it is: under a secret name it is the secret. */
function ofError(leaf: Leaf, { key }: Frame): void {
  if (isSecretName(key)) leaf.key = key;
}

/** What the text of a tag is. A view of longer numbers than bytes is what it is. */
const KINDS: Readonly<Partial<Record<string, TypedText | "plain">>> = {
  ...TYPED,
  Date: "time",
  RegExp: "pattern",
  URL: "url",
  Symbol: "plain",
  "?": "plain",
};

const NO_ITEM: Item = { name: null, nameNode: -1, nameReference: null, reference: null, inner: null };
const elements = (parts: readonly Part[]): Item[] =>
  parts.map((part) => ({ ...NO_ITEM, reference: part.kind === "bare" ? part : null }));
const itemOf = ({ name, reference }: Member): Item => ({ ...NO_ITEM, name, reference });

/** The members of an array with holes or names: elements first, then one object of what has names. */
function indexed(text: string, items: readonly Item[]): Item[] {
  const isElement = ({ name }: Item): boolean => name !== null && /^\d{1,10}$/.test(text.slice(name.start, name.end));
  const named = items.filter((item) => !isElement(item));
  return [...items.filter(isElement).map(({ reference }) => ({ ...NO_ITEM, reference })), ...asObject(named)];
}

const asObject = (items: readonly Item[]): Item[] =>
  items.length === 0 ? [] : [{ ...NO_ITEM, inner: { items, array: false } }];
