import { inspect } from "node:util";
import type { HeaderPairs } from "@reenact/envelope";

type Pair = [name: string, value: string];

/** Every name on a line of its own, without its value. */
const NAMES_ONLY = { compact: false, breakLength: 0, maxStringLength: 0, depth: 0, colors: false } as const;
const NAME = /^ {2}(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([\w$]+)): /;

/**
 * Pairs in the order in which they came: `Headers` gives them sorted, and only its text for people keeps the order.
 * Where that cannot be read they stay sorted.
 */
export function receivedHeaders(headers: Headers | HeaderPairs): Pair[] {
  const sorted = Array.from(headers, ([name, value]): Pair => [name, value]);
  try {
    const byName = Map.groupBy(sorted, ([name]) => name);
    const ordered = namesOf(headers).flatMap((name) => byName.get(name) ?? []);
    return ordered.length === sorted.length ? ordered : sorted;
  } catch {
    return sorted;
  }
}

function namesOf(headers: object): string[] {
  const show: unknown = Reflect.get(headers, inspect.custom);
  if (typeof show !== "function") return [];
  const text = String(Reflect.apply(show, headers, [0, { ...NAMES_ONLY }]));
  const names = text.split("\n").flatMap((line) => {
    const [, single, double, bare] = NAME.exec(line) ?? [];
    const name = single ?? double ?? bare;
    return name === undefined ? [] : [name.replaceAll(/\\(.)/g, "$1").toLowerCase()];
  });
  return [...new Set(names)];
}
