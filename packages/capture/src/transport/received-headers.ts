import { inspect } from "node:util";

type Pair = [name: string, value: string];

/** Every name on a line of its own, without its value. */
const NAMES_ONLY = { compact: false, breakLength: 0, maxStringLength: 0, depth: 0, colors: false } as const;
const NAME = /^ {2}(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([\w$]+)): /;

/**
 * Pairs in the order in which they came: `Headers` gives them sorted, and only its text for people keeps the order.
 * Where that cannot be read they stay sorted.
 */
export function receivedHeaders(headers: Headers): Pair[] {
  const sorted: Pair[] = [...headers];
  try {
    const byName = Map.groupBy(sorted, ([name]) => name);
    const ordered = namesOf(headers).flatMap((name) => byName.get(name) ?? []);
    return ordered.length === sorted.length ? ordered : sorted;
  } catch {
    return sorted;
  }
}

function namesOf(headers: Headers): string[] {
  const show = (headers as { [inspect.custom]?: (depth: number, options: object) => unknown })[inspect.custom];
  const text = String(show?.call(headers, 0, { ...NAMES_ONLY }));
  const names = text.split("\n").flatMap((line) => {
    const [, single, double, bare] = NAME.exec(line) ?? [];
    const name = single ?? double ?? bare;
    return name === undefined ? [] : [name.replaceAll(/\\(.)/g, "$1").toLowerCase()];
  });
  return [...new Set(names)];
}
