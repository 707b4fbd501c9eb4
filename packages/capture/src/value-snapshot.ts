import { deserialize, serialize } from "node:v8";
import { encodeUpTo, encodeValue } from "@reenact/envelope";
import { plainJson } from "./plain-json.ts";
import { MOST_READ_HERE } from "./most-read-here.ts";

/** Values with no more members than this are encoded at once; a larger one takes the agent's thread a µs for each. */
const MOST_ENCODED_HERE = 4000;
/** Past this many members a typed encoding may have placeholders, which are said of the step. */
const MOST_VISITED = 1_000_000;

/** A large value of plain data as it was at one moment: what another thread makes its typed encoding from. */
export interface ValueSnapshot {
  /** by V8's serializer */
  readonly serialized: Uint8Array;
  /** bytes of it */
  readonly length: number;
}

/** The typed encoding of a value, or what it will be made from. */
export type TypedText = string | ValueSnapshot;

export interface Encoded {
  readonly text: TypedText;
  readonly lossy: readonly string[];
}

/**
 * The typed encoding of a value, but of a large one of plain data a copy, which costs a tenth of it. `elsewhere`: there is a
 * thread that makes the encoding of it. Both come to the same text.
 */
export function encodeOrCopy(value: unknown, elsewhere: () => boolean, options: { stacks?: boolean } = {}): Encoded {
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

/** `plainJson` of what was copied; `arguments`: of the only one, where there is one. */
export function copiedJson(copied: ValueSnapshot, what: "value" | "arguments"): string | null {
  const value: unknown = deserialize(copied.serialized);
  const shown: unknown = what === "arguments" && (value as unknown[]).length === 1 ? (value as unknown[])[0] : value;
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
 * Whether nothing about a value that was copied is lost in the copy. No member is counted twice: where objects are shared so
 * often that there are more than `most`, or in a circle, the answer is no.
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
    if (left < 0) return false;
    const proto: unknown = Object.getPrototypeOf(value);
    if (Array.isArray(value)) {
      if (proto !== Array.prototype || hasNames(value) || Object.getOwnPropertySymbols(value).length > 0) return false;
      if (value.length > left) return false;
      for (let at = 0; at < value.length; at++) visit(value[at]);
    } else if (proto === Object.prototype) {
      let names = 0;
      for (const name in value) {
        names++;
        visit((value as Record<string, unknown>)[name]);
      }
      if (Object.getOwnPropertyNames(value).length !== names || Object.getOwnPropertySymbols(value).length > 0)
        return false;
    } else {
      if (hasOwn(value)) return false;
      if (proto === Map.prototype)
        for (const [key, item] of value as Map<unknown, unknown>) {
          visit(key);
          visit(item);
        }
      else if (proto === Set.prototype) for (const item of value as Set<unknown>) visit(item);
      else if (proto !== Date.prototype) return false;
    }
  }
  return true;
}

const hasOwn = (value: object): boolean =>
  Object.getOwnPropertyNames(value).length > 0 || Object.getOwnPropertySymbols(value).length > 0;

/** Members of a list beside its elements: those stand behind all elements. */
function hasNames(list: readonly unknown[]): boolean {
  const names = Object.keys(list);
  const last = names.at(-1);
  return last !== undefined && !(Number(last) < list.length && String(Number(last)) === last);
}

const PLAIN = [Object, Array, String, Number, Boolean, BigInt, Map, Set].map(({ prototype }): object => prototype);
const { toJSON: dateToJson, toISOString } = Date.prototype;

/** The program has given values of the language another JSON, which another thread does not know. */
function jsonIsChanged(): boolean {
  return (
    Date.prototype.toJSON !== dateToJson ||
    Date.prototype.toISOString !== toISOString ||
    PLAIN.some((prototype) => "toJSON" in prototype)
  );
}
