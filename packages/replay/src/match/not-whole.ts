import { renumberValue } from "@reenact/envelope";
import { listed } from "../verdict/listed.ts";
import type { RecordedStep } from "../tape/tape.ts";

const MOST_NAMED = 5;
/** A line of `lossy` about members that a typed text does not hold. */
const LEFT_OUT = /^args: (.*): (property .*|own properties of .*) left out$/s;

/** Tags of nodes in a typed text (SPEC.md §6) that stand for a value which was not recorded whole. */
const PLACEHOLDER = "?";
const INSTANCE = "Instance";

/** Whether a typed text stands for a value that came from the agent and can be given to it again. */
export function isWhole(text: string): boolean {
  return !/\["(?:Instance|\?)"/.test(text);
}

/** A typed text without the data of class instances, which only their class stands for: so the rest can be compared. */
export function wholeParts(text: string): string {
  if (isWhole(text)) return text;
  const nodes: unknown = JSON.parse(text);
  if (!Array.isArray(nodes)) return text;
  return renumberValue(JSON.stringify(nodes.map((node) => (tagOf(node) === INSTANCE ? [PLACEHOLDER, node[1]] : node))));
}

/** What of a call's arguments is in no record, in words; null: all of them are compared. */
export function uncomparedArguments({ record }: RecordedStep): string | null {
  const lines = record.lossy?.flatMap((line) => LEFT_OUT.exec(line)?.slice(1).toReversed().join(" at ") ?? []) ?? [];
  const left = [...placeholders(record.call?.args ?? "[]"), ...lines];
  return left.length === 0 ? null : `not compared in the arguments of ${record.op}: ${listed(left, MOST_NAMED)}`;
}

/** What a typed text has placeholders for, with its place: `function at [1].each`. */
export function placeholders(text: string): string[] {
  const nodes: unknown = isWhole(text) ? null : JSON.parse(text);
  if (!Array.isArray(nodes)) return [];
  const found: string[] = [];
  const seen = new Set<number>();
  const walk = (index: unknown, path: string): void => {
    if (typeof index !== "number" || index < 0 || seen.has(index)) return;
    seen.add(index);
    const node: unknown = nodes[index];
    if (tagOf(node) === PLACEHOLDER) found.push(`${String((node as unknown[])[1])}${path === "" ? "" : ` at ${path}`}`);
    else for (const [key, member] of membersOf(node)) walk(member, `${path}${key}`);
  };
  walk(0, "");
  return found;
}

const tagOf = (node: unknown): string | null => (Array.isArray(node) && typeof node[0] === "string" ? node[0] : null);

/** References of a node, each with what a path has for it. */
function membersOf(node: unknown): [string, unknown][] {
  if (typeof node !== "object" || node === null) return [];
  if (!Array.isArray(node)) return Object.entries(node).map(([key, index]) => [`.${key}`, index]);
  const tag = tagOf(node);
  if (tag === null) return node.map((index, at) => [`[${at}]`, index]);
  if (tag === "Map")
    return node.slice(1).map((index, at) => [at % 2 === 0 ? `.key(${at / 2})` : `.get(${(at - 1) / 2})`, index]);
  if (tag === "Set" || tag === "Boxed") return node.slice(1).map((index, at) => [`.item(${at})`, index]);
  return node.slice(1).flatMap((part) => (typeof part === "object" ? membersOf(part) : []));
}
