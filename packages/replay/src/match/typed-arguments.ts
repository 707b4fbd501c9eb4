import { decodeValue } from "@reenact/envelope";
import { jsonDifferences, type Difference, type SameText, textDifference } from "./difference.ts";

type Node = unknown;

/**
 * What differs between two argument lists in their typed encoding (SPEC.md §6). The order of the keys of plain objects
 * is no difference. Differences have their place in the values where JSON can show it, else in the encoding.
 */
export function argumentDifferences(recordedText: string, nowText: string, same: SameText): Difference[] {
  const [recorded, now] = likeServed(recordedText, nowText);
  if (same(recorded, now) || same(sortedKeys(recorded), sortedKeys(now))) return [];
  const [a, b] = [plain(recorded), plain(now)];
  const shown = a === null || b === null ? null : jsonDifferences(a, b, same);
  if (shown !== null && shown.length > 0) return shown;
  const encoded = jsonDifferences(recorded, now, same) ?? [];
  return encoded.length > 0 ? encoded : [textDifference(recorded, now)];
}

/** Both with an instance of a class as a plain object where the other has one: that is what a served value has in its place. */
function likeServed(recorded: string, now: string): [recorded: string, now: string] {
  const isInstance = (node: Node): boolean => Array.isArray(node) && node[0] === "Instance";
  if (!recorded.includes(INSTANCE) && !now.includes(INSTANCE)) return [recorded, now];
  try {
    const [a, b] = [JSON.parse(recorded) as Node[], JSON.parse(now) as Node[]];
    const plainer = (nodes: Node[], others: Node[]): Node[] =>
      nodes.map((node, n) => (isInstance(node) && !isInstance(others[n]) ? (node as Node[])[2] : node));
    return [JSON.stringify(plainer(a, b)), JSON.stringify(plainer(b, a))];
  } catch {
    return [recorded, now];
  }
}

const INSTANCE = '["Instance",';

function plain(text: string): string | null {
  try {
    return JSON.stringify(decodeValue(text)) ?? null;
  } catch {
    return null;
  }
}

/** So many UTF-16 units of texts that stand in several places are compared in each of them. */
const MOST_REPEATED = 4 * 1024 * 1024;

/** The encoding with the keys of plain objects sorted and its nodes numbered in that order; the text itself if odd. */
function sortedKeys(text: string): string {
  let nodes: Node;
  try {
    nodes = JSON.parse(text);
  } catch {
    return text;
  }
  if (!Array.isArray(nodes)) return text;
  const list = nodes as Node[];
  const numbers = new Map<number, number>();
  const out: Node[] = [];
  const pending: number[] = [];
  let next = 0;
  let repeated = 0;
  const reference = (index: unknown): unknown => {
    if (typeof index !== "number" || index < 0) return index;
    const known = numbers.get(index);
    const node = list[index];
    // two spellings of a redacted value are one text in a replay, and were two: a text is no object with an identity
    if (known !== undefined && !(typeof node === "string" && (repeated += node.length) <= MOST_REPEATED)) return known;
    const number = next++;
    numbers.set(index, number);
    pending.push(index);
    return number;
  };
  const members = (node: object): object =>
    Object.fromEntries(
      Object.entries(node)
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([key, index]) => [key, reference(index)]),
    );
  const renumbered = (node: Node): Node => {
    if (typeof node !== "object" || node === null) return node;
    if (!Array.isArray(node)) return members(node);
    const [first, ...rest] = node as unknown[];
    if (typeof first !== "string") return node.map(reference);
    return [first, ...rest.map((part) => part)];
  };
  reference(0);
  for (let index = pending.shift(); index !== undefined; index = pending.shift()) {
    const node = list[index];
    // nodes of tagged types name others by index in ways of their own: such a list is compared as it stands
    if (Array.isArray(node) && typeof node[0] === "string" && !SCALAR_TAGS.has(node[0])) return text;
    out.push(renumbered(node));
  }
  return JSON.stringify(out);
}

/** Tagged nodes that name no other node. */
const SCALAR_TAGS: ReadonlySet<string> = new Set([
  "BigInt",
  "Date",
  "RegExp",
  "URL",
  "URLSearchParams",
  "Symbol",
  "ArrayBuffer",
  "Buffer",
  "?",
]);
