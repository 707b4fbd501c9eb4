import type { ScrubHint } from "@reenact/capture";
import { applied, type Change, shifted } from "./change.ts";
import { eventDocuments, lineDocuments, type Document } from "../structure/documents.ts";
import { decodePercent } from "../structure/percent.ts";

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]*\+)?json\b/i;
const LINES_TYPE = /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq)\b/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;
const EVENTS = /(?:^|[\r\n])\uFEFF?data: ?[[{]/;
const LONGEST = 256;
const [QUOTE, BACKSLASH, COLON, COMMA] = [34, 92, 58, 44];

/**
 * Where in a text each of its changes stands: a JSON pointer, of an event or a line of a stream behind its number from
 * 0, of a form or a query the name of the pair, and "" where the text has no parts. Names are those of the text after
 * its changes, so that no pointer holds what was found. Changes are sorted. One pass over the text.
 */
export function pointersOf(text: string, hint: ScrubHint, changes: readonly Change[]): string[] {
  const mime = hint.mime ?? "";
  const first = /\S/.exec(text.slice(0, 64))?.[0];
  const isJson = first === "{" || first === "[";
  if (LINES_TYPE.test(mime)) return inDocuments(lineDocuments(text).documents, changes);
  if (isJson && (mime === "" || JSON_TYPE.test(mime))) return new JsonPointers(text, changes).read();
  if (/^text\/event-stream\b/i.test(mime) || (!isJson && EVENTS.test(text)))
    return inDocuments(eventDocuments(text).documents, changes);
  const query = queryStart(text, mime, hint.key);
  if (query === -1) return changes.map(() => "");
  return changes.map((change) => (change.start < query ? "" : pairPointer(text, query, change, changes)));
}

/** Where the pairs of a form or of a URL begin; -1: it has none. */
function queryStart(text: string, mime: string, key: string | undefined): number {
  const mark = key === "url" ? text.indexOf("?") : -1;
  if (FORM_TYPE.test(mime)) return key === "url" ? -1 : 0;
  return mark === -1 ? -1 : mark + 1;
}

/** A name as one step of a JSON pointer. */
export const pointerStep = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

function cut(pointer: string): string {
  return pointer.length <= LONGEST ? pointer : `${pointer.slice(0, LONGEST - 1)}…`;
}

/** The text of `[start, end)` after its changes. */
function redacted(text: string, start: number, end: number, changes: readonly Change[]): string {
  const inside: Change[] = [];
  let at = firstFrom(changes, start);
  for (let change = changes[at]; change !== undefined && change.end <= end; change = changes[++at]) inside.push(change);
  return applied(text.slice(start, end), shifted(inside, -start));
}

/** Number of the first change that begins at `start` or behind it. */
function firstFrom(changes: readonly Change[], start: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.start ?? Infinity) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pairPointer(text: string, from: number, change: Change, changes: readonly Change[]): string {
  const start = Math.max(from, text.lastIndexOf("&", change.start - 1) + 1);
  const equals = text.indexOf("=", start);
  if (equals === -1 || equals > change.end) return "";
  const raw = redacted(text, start, equals, changes);
  return cut(pointerStep(decodePercent(raw, true) ?? raw));
}

function inDocuments(documents: readonly Document[], changes: readonly Change[]): string[] {
  const out = changes.map(() => "");
  let next = 0;
  for (const [number, { text, segments }] of documents.entries()) {
    const inside: Change[] = [];
    const first = next;
    let offset = 0;
    for (const { source, length } of segments) {
      while ((changes[next]?.start ?? Infinity) < source) next++;
      for (
        let change = changes[next];
        change !== undefined && change.start < source + length;
        change = changes[++next]
      ) {
        const start = offset + change.start - source;
        inside.push({ ...change, start, end: Math.min(start + change.end - change.start, offset + length) });
        out[next] = `/${number}`;
      }
      offset += length + 1;
    }
    if (inside.length === 0) continue;
    const pointers = new JsonPointers(text, inside).read();
    let at = 0;
    for (let i = first; i < next; i++) if (out[i] !== "") out[i] = cut(`${out[i]}${pointers[at++] ?? ""}`);
  }
  return out;
}

interface Level {
  readonly array: boolean;
  /** number of the element that is read */
  index: number;
  /** where the name of the member that is read stands; -1: before the first */
  nameStart: number;
  nameEnd: number;
}

class JsonPointers {
  readonly #text: string;
  readonly #changes: readonly Change[];
  readonly #out: string[] = [];
  readonly #levels: Level[] = [];

  constructor(text: string, changes: readonly Change[]) {
    this.#text = text;
    this.#changes = changes;
  }

  /** What is no JSON gets the pointer of what it stands in. */
  read(): string[] {
    const text = this.#text;
    for (let at = 0; at < text.length && this.#out.length < this.#changes.length;) at = this.#step(at);
    while (this.#out.length < this.#changes.length) this.#out.push("");
    return this.#out;
  }

  #step(at: number): number {
    const text = this.#text;
    const unit = text.charCodeAt(at);
    const level = this.#levels.at(-1);
    if (unit === QUOTE) return this.#string(at);
    // what begins here, and is replaced as a whole
    this.#pass(at + 1);
    if (unit === 123 || unit === 91) this.#levels.push({ array: unit === 91, index: 0, nameStart: -1, nameEnd: -1 });
    else if (unit === 125 || unit === 93) this.#levels.pop();
    else if (unit === COMMA && level !== undefined) {
      level.index++;
      level.nameStart = -1;
    }
    return at + 1;
  }

  #string(at: number): number {
    const end = stringEnd(this.#text, at + 1);
    const level = this.#levels.at(-1);
    if (level !== undefined && !level.array && level.nameStart === -1 && isName(this.#text, end + 1)) {
      level.nameStart = at + 1;
      level.nameEnd = end;
    }
    this.#pass(end + 1);
    return end + 1;
  }

  /** Every change that begins before `end` stands here. */
  #pass(end: number): void {
    let pointer: string | null = null;
    for (let next = this.#changes[this.#out.length]; next !== undefined && next.start < end;) {
      this.#out.push(cut((pointer ??= this.#here())));
      next = this.#changes[this.#out.length];
    }
  }

  #here(): string {
    let pointer = "";
    for (const { array, index, nameStart, nameEnd } of this.#levels) {
      if (array) pointer += `/${index}`;
      else if (nameStart !== -1)
        pointer += pointerStep(decoded(redacted(this.#text, nameStart, nameEnd, this.#changes)));
    }
    return pointer;
  }
}

function stringEnd(text: string, from: number): number {
  for (let at = from; ;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH && quote - slashes > from) slashes++;
    if (slashes % 2 === 0) return quote;
    at = quote + 1;
  }
}

function isName(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= 32) at++;
  return text.charCodeAt(at) === COLON;
}

function decoded(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}
