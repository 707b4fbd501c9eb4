import { textOrBytes } from "../text-or-bytes.ts";
import { namedValues, type RedisValue } from "./value.ts";

export interface ReadValue {
  readonly value: RedisValue;
  readonly bytes: Buffer;
}

/** A list whose items are not all there yet. */
interface OpenList {
  readonly type: string;
  left: number;
  readonly items: RedisValue[];
}

type Part = { readonly value: RedisValue } | { readonly list: OpenList };

const NOTHING = Buffer.alloc(0);
const CR = 13;
const LF = 10;
/** of a line that says a type and a length, a number, a status or an error */
const MOST_LINE = 1024 * 1024;

/** Reads values of Redis' protocol, version 2 or 3, from bytes as they come. What was read is not looked at again. */
export class RespReader {
  #chunks: Buffer[] = [];
  #waiting = 0;
  /** nothing can be read before so many bytes are there */
  #needed = 1;
  #rest: Buffer = NOTHING;
  #at = 0;
  /** bytes of the value that is not whole */
  #parts: Buffer[] = [];
  readonly #open: OpenList[] = [];

  /** The values that are whole with these bytes. Throws for what is no value. */
  *read(chunk: Buffer): Generator<ReadValue> {
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting < this.#needed) return;
    this.#rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#waiting = 0;
    this.#at = 0;
    let start = 0;
    for (let part = this.#part(); part !== null; part = this.#part()) {
      const value = this.#close(part);
      if (value === undefined) continue;
      const own = this.#rest.subarray(start, this.#at);
      const bytes = this.#parts.length === 0 ? own : Buffer.concat([...this.#parts, own]);
      this.#parts = [];
      start = this.#at;
      yield { value, bytes };
    }
    if (this.#at > start) this.#parts.push(this.#rest.subarray(start, this.#at));
    const rest = this.#rest.subarray(this.#at);
    this.#rest = NOTHING;
    if (rest.length > 0) this.#chunks.push(rest);
    this.#waiting = rest.length;
  }

  /** Adds a value to the list that waits for it. undefined: the list is not whole. */
  #close(part: Part): RedisValue | undefined {
    if ("list" in part) {
      if (part.list.left > 0) {
        this.#open.push(part.list);
        return undefined;
      }
    }
    let value = "list" in part ? listOf(part.list) : part.value;
    for (let list = this.#open.at(-1); list !== undefined; list = this.#open.at(-1)) {
      list.items.push(value);
      if (--list.left > 0) return undefined;
      this.#open.pop();
      value = listOf(list);
    }
    return value;
  }

  /** The next line, with the bytes that it announces. null: it is not whole */
  #part(): Part | null {
    const lineEnd = this.#lineEnd();
    if (lineEnd === -1) return null;
    const type = String.fromCharCode(this.#rest[this.#at] as number);
    const line = this.#rest.toString("utf8", this.#at + 1, lineEnd);
    const after = lineEnd + 2;
    if (type === "$" || type === "=" || type === "!") return this.#sized(type, lengthOf(line), after);
    this.#at = after;
    if (type === "*" || type === "~" || type === ">" || type === "%") return listPart(type, lengthOf(line));
    return { value: simpleValue(type, line) };
  }

  #lineEnd(): number {
    const end = this.#rest.indexOf(LF, this.#at);
    if (end > 0 && this.#rest[end - 1] === CR) return end - 1;
    const length = this.#rest.length - this.#at;
    if (end !== -1 || length > MOST_LINE) throw new RangeError("a line without its end");
    this.#needed = length + 1;
    return -1;
  }

  #sized(type: string, length: number, from: number): Part | null {
    if (length === -1) {
      this.#at = from;
      return { value: { nothing: "string" } };
    }
    const end = from + length;
    if (this.#rest.length < end + 2) {
      this.#needed = end + 2 - this.#at;
      return null;
    }
    const content = this.#rest.subarray(from, end);
    this.#at = end + 2;
    if (type === "$") return { value: textOrBytes(content) };
    const text = content.toString("utf8");
    return { value: type === "=" ? { verbatim: text } : { failure: text } };
  }
}

function lengthOf(line: string): number {
  const length = Number(line);
  if (line === "" || !Number.isInteger(length) || length < -1) throw new RangeError("a length that is no number");
  return length;
}

function listPart(type: string, length: number): Part {
  if (length === -1) return { value: { nothing: "array" } };
  return { list: { type, left: type === "%" ? 2 * length : length, items: [] } };
}

function listOf({ type, items }: OpenList): RedisValue {
  if (type === "*") return items;
  if (type === "~") return { set: items };
  if (type === ">") return { push: items };
  const named = namedValues(items);
  return named === undefined ? { mapEntries: items } : { map: named };
}

function simpleValue(type: string, line: string): RedisValue {
  switch (type) {
    case "+":
      return { status: line };
    case "-":
      return { error: line };
    case ":": {
      const value = Number(line);
      return Number.isSafeInteger(value) ? value : BigInt(line);
    }
    case "_":
      return null;
    case "#":
      return line === "t";
    case ",":
      return { number: line };
    case "(":
      return { big: line };
    default:
      throw new RangeError("what begins no value");
  }
}
