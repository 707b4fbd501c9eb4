/**
 * A value of Redis' protocol, as a step has it. Text and bytes are strings of the protocol, a number is one of its integers; the
 * rest says what it is. `nothing`: the empty values of version 2. `pairs` and `entries`: a list of names and values; `map` and
 * `mapEntries`: the same as the protocol's own map.
 */
export type RedisValue =
  | string
  | Uint8Array
  | number
  | bigint
  | boolean
  | null
  | readonly RedisValue[]
  | { readonly status: string }
  | { readonly error: string }
  | { readonly nothing: "array" | "string" }
  | { readonly number: string }
  | { readonly big: string }
  | { readonly verbatim: string }
  | { readonly failure: string }
  | { readonly pairs: Readonly<Record<string, RedisValue>> }
  | { readonly map: Readonly<Record<string, RedisValue>> }
  | { readonly mapEntries: readonly RedisValue[] }
  | { readonly set: readonly RedisValue[] }
  | { readonly push: readonly RedisValue[] };

const MOST_NAMES = 10_000;
/** A name that a plain object would move, or not hold. */
const ODD_NAME = /^(?:\d+|__proto__)$/;

/** Names and values, one after another, as an object, so that a name tells what its value is. undefined: it cannot hold them. */
export function namedValues(list: readonly RedisValue[]): Record<string, RedisValue> | undefined {
  if (list.length % 2 !== 0 || list.length === 0 || list.length > 2 * MOST_NAMES) return undefined;
  const named: Record<string, RedisValue> = {};
  for (let at = 0; at < list.length; at += 2) {
    const name = list[at];
    if (typeof name !== "string" || ODD_NAME.test(name) || Object.hasOwn(named, name)) return undefined;
    named[name] = list[at + 1] as RedisValue;
  }
  return named;
}

/** The message of an error, in either of the two forms that the protocol has; undefined: it is no error. */
export function errorIn(value: RedisValue): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("error" in value) return value.error;
  return "failure" in value ? value.failure : undefined;
}
