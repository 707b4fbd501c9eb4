import { deserialize, serialize } from "node:v8";
import { type EncodeOptions, encodeUpTo, encodeValue } from "@reenact/envelope";
import { plainJson } from "../redact/plain-json.ts";
import { MOST_READ_HERE } from "../redact/most-read-here.ts";

/** Values with at most this many members are encoded at once. Encoding takes about 1 µs of the agent's thread per member. */
const MOST_ENCODED_HERE = 4000;
/** With more members than this an encoding may hold placeholders, which the step must report. */
const MOST_VISITED = 1_000_000;

/** A copy of a large value of plain data, from which another thread makes the typed encoding. */
export interface ValueSnapshot {
  /** by V8's serializer */
  readonly serialized: Uint8Array;
  /** bytes of it */
  readonly length: number;
}

/** The typed encoding of a value, or a copy from which it will be made. */
export type TypedText = string | ValueSnapshot;

export interface Encoded {
  readonly text: TypedText;
  readonly lossy: readonly string[];
}

/**
 * Encodes a value. If it is large plain data and `elsewhere()` says that another thread can encode it, returns a copy instead,
 * at about a tenth of the cost. The other thread makes the same text from it.
 */
export function encodeOrCopy(value: unknown, elsewhere: () => boolean, options: EncodeOptions = {}): Encoded {
  const small = encodeUpTo(MOST_ENCODED_HERE, value, options);
  if (small !== null) return small;
  const text = elsewhere() ? snapshotOf(value) : null;
  return text === null ? encodeValue(value, options) : { text, lossy: [] };
}

const typed = new WeakMap<ValueSnapshot, string>();

export function typedOf(text: TypedText): string {
  if (typeof text === "string") return text;
  const known = typed.get(text) ?? encodeValue(deserialize(text.serialized)).text;
  typed.set(text, known);
  return known;
}

/** `plainJson` of a copied value; of a list of one argument: of that argument. */
export function copiedJson(copied: ValueSnapshot, what: "value" | "arguments"): string | null {
  const value: unknown = deserialize(copied.serialized);
  const shown: unknown = what === "arguments" && Array.isArray(value) && value.length === 1 ? value[0] : value;
  return plainJson(shown, typedOf(copied));
}

/** Null: the value is not worth a copy, or a copy would not be encoded as the value itself is. */
export function snapshotOf(value: unknown): ValueSnapshot | null {
  try {
    const serialized = serialize(value);
    const { length } = serialized;
    if (length <= MOST_READ_HERE || jsonIsChanged() || !isPlainData(value, Math.min(length, MOST_VISITED))) return null;
    return { serialized, length };
  } catch {
    // functions, symbols, proxies, a getter that throws, a value nested too deeply
    return null;
  }
}

/**
 * Whether a copy by V8's serializer is encoded as the value itself: plain objects, lists, maps, sets and dates without members that
 * the copy leaves out. False for more than `most` members; a shared object is counted at each place, so a cycle is refused too.
 */
function isPlainData(root: unknown, most: number): boolean {
  const open: object[] = [];
  let left = most;
  const visit = (value: unknown): void => {
    left--;
    if (typeof value === "object" && value !== null) open.push(value);
  };
  visit(root);
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (left < 0 || !visitMembers(value, left, visit)) return false;
  }
  return true;
}

/** Visits all that a plain value holds. False for a value of another kind, or one with members that a copy leaves out. */
function visitMembers(value: object, most: number, visit: (member: unknown) => void): boolean {
  const proto: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) {
    if (proto !== Array.prototype || hasNames(value) || Object.getOwnPropertySymbols(value).length > 0) return false;
    if (value.length > most) return false;
    for (let at = 0; at < value.length; at++) visit(value[at]);
    return true;
  }
  if (proto === Object.prototype) return visitProperties(value, visit);
  if (hasOwn(value)) return false;
  if (proto === Map.prototype || proto === Set.prototype) visitEntries(value, visit);
  else return proto === Date.prototype;
  return true;
}

function visitProperties(value: object, visit: (member: unknown) => void): boolean {
  let names = 0;
  for (const name in value) {
    names++;
    visit((value as Record<string, unknown>)[name]);
  }
  return Object.getOwnPropertyNames(value).length === names && Object.getOwnPropertySymbols(value).length === 0;
}

/** Throws for an object that has the prototype of a map or set, and is none. */
function visitEntries(value: object, visit: (member: unknown) => void): void {
  if (value instanceof Map)
    for (const [key, item] of value) {
      visit(key);
      visit(item);
    }
  else if (value instanceof Set) for (const item of value) visit(item);
}

const hasOwn = (value: object): boolean =>
  Object.getOwnPropertyNames(value).length > 0 || Object.getOwnPropertySymbols(value).length > 0;

/** Whether a list has named members beside its elements. `Object.keys` lists them last. */
function hasNames(list: readonly unknown[]): boolean {
  const names = Object.keys(list);
  const last = names.at(-1);
  return last !== undefined && !(Number(last) < list.length && String(Number(last)) === last);
}

const PLAIN = [Object, Array, String, Number, Boolean, BigInt, Map, Set].map(({ prototype }): object => prototype);
const { toJSON: dateToJson, toISOString } = Date.prototype;

/** Whether the program has changed the JSON of built-in classes: another thread has the original ones. */
function jsonIsChanged(): boolean {
  return (
    Date.prototype.toJSON !== dateToJson ||
    Date.prototype.toISOString !== toISOString ||
    PLAIN.some((prototype) => "toJSON" in prototype)
  );
}
