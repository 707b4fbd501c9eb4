import { canonicalForm, type JsonNode, member, parseJson, toValue } from "@reenact/envelope";

/** Whether a recorded text and a text of now stand for the same value. */
export type SameText = (recorded: string, now: string) => boolean;

/** One value that differs between a recorded request and the request of now. */
export interface Difference {
  /** where the value stands; absent: in the body, or in the arguments of a function */
  readonly of?: "URL" | "method" | "header" | "redirect" | "option";
  /** RFC 6901, into the body, the arguments, or the object of headers; empty for the whole text */
  readonly pointer: string;
  /** undefined: the value was not there */
  readonly recorded: unknown;
  readonly now: unknown;
  /** offset of the value in the recorded JSON text and in the text of now, UTF-16 units; -1 where it is not there */
  readonly at?: { readonly recorded: number; readonly now: number };
  /** redaction has made the same of both: they are no text of the record */
  readonly isRedacted?: true;
}

/** Differences that are collected from one document; the rest of a long list says nothing more. */
const MOST = 100;

/**
 * Every value that differs between two JSON texts; null if one of them is no JSON. Key order, white space and the way
 * in which a string is escaped are no differences. Elements that only stand in another order are one difference.
 */
export function jsonDifferences(recorded: string, now: string, same: SameText): Difference[] | null {
  let a: JsonNode;
  let b: JsonNode;
  try {
    a = parseJson(recorded);
    b = parseJson(now);
  } catch {
    return null;
  }
  const found: Difference[] = [];
  walk(a, b, "", same, found);
  return found;
}

function walk(a: JsonNode, b: JsonNode, pointer: string, same: SameText, found: Difference[]): void {
  if (found.length >= MOST) return;
  if (a.type === "object" && b.type === "object") return walkObject(a, b, pointer, same, found);
  if (a.type === "array" && b.type === "array") return walkArray(a.items, b.items, [a, b], pointer, same, found);
  if (!sameLeaf(a, b, same)) found.push(between(a, b, pointer));
}

function sameLeaf(a: JsonNode, b: JsonNode, same: SameText): boolean {
  if (a.type === "string" && b.type === "string") return same(a.value, b.value);
  if (a.type === "number" && b.type === "number") return a.literal === b.literal;
  return a.type === b.type && a.type !== "object" && a.type !== "array";
}

type ObjectNode = Extract<JsonNode, { type: "object" }>;

function walkObject(a: ObjectNode, b: ObjectNode, pointer: string, same: SameText, found: Difference[]): void {
  const members = Map.groupBy(b.members, ({ key }) => key);
  const unmatched: typeof a.members = [];
  for (const entry of a.members) {
    const other = members.get(entry.key)?.shift();
    if (other === undefined) unmatched.push(entry);
    else walk(entry.value, other.value, `${pointer}/${escaped(entry.key)}`, same, found);
  }
  const left = b.members.filter((each) => members.get(each.key)?.includes(each));
  for (const { key, value } of unmatched) {
    if (found.length >= MOST) return;
    // a key may hold a redaction token, which has another name under another key
    const at = left.findIndex((each) => same(key, each.key));
    const other = at === -1 ? undefined : left.splice(at, 1)[0];
    walkOrMissing(value, other?.value, `${pointer}/${escaped(key)}`, same, found);
  }
  for (const { key, value } of left.slice(0, MOST)) found.push(between(undefined, value, `${pointer}/${escaped(key)}`));
}

function walkOrMissing(
  a: JsonNode | undefined,
  b: JsonNode | undefined,
  pointer: string,
  same: SameText,
  found: Difference[],
): void {
  if (a === undefined || b === undefined) found.push(between(a, b, pointer));
  else walk(a, b, pointer, same, found);
}

function walkArray(
  a: readonly JsonNode[],
  b: readonly JsonNode[],
  [was, is]: readonly [JsonNode, JsonNode],
  pointer: string,
  same: SameText,
  found: Difference[],
): void {
  const forms = a.map((item) => canonicalForm(item));
  const formsNow = b.map((item) => canonicalForm(item));
  if (isPermutation(forms, formsNow)) {
    found.push({
      pointer,
      recorded: a.map(nameOf),
      now: b.map(nameOf),
      at: { recorded: was.start, now: is.start },
    });
    return;
  }
  let from = 0;
  while (from < Math.min(a.length, b.length) && forms[from] === formsNow[from]) from++;
  let behind = 0;
  while (
    a.length !== b.length &&
    behind < Math.min(a.length, b.length) - from &&
    forms[a.length - 1 - behind] === formsNow[b.length - 1 - behind]
  )
    behind++;
  const [end, endNow] = [a.length - behind, b.length - behind];
  for (let i = from; i < Math.max(end, endNow); i++)
    walkOrMissing(i < end ? a[i] : undefined, i < endNow ? b[i] : undefined, `${pointer}/${i}`, same, found);
}

/** The same elements, not all of them at the same place. */
function isPermutation(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length || a.every((form, i) => form === b[i])) return false;
  const [left, right] = [a.toSorted(), b.toSorted()];
  return left.every((form, i) => form === right[i]);
}

/** How an element of a list is called for people: a tool by its name, else the value itself. */
function nameOf(node: JsonNode): unknown {
  const inner = member(node, "function");
  const name = (inner === undefined ? undefined : member(inner, "name")) ?? member(node, "name");
  return name?.type === "string" ? name.value : valueOf(node);
}

function between(a: JsonNode | undefined, b: JsonNode | undefined, pointer: string): Difference {
  return {
    pointer,
    recorded: a === undefined ? undefined : valueOf(a),
    now: b === undefined ? undefined : valueOf(b),
    at: { recorded: a?.start ?? -1, now: b?.start ?? -1 },
  };
}

/** Integers that a number cannot hold are shown as they are written. */
const valueOf = (node: JsonNode): unknown =>
  toValue(node, (literal) =>
    Number.isSafeInteger(Number(literal)) || literal.includes(".") ? Number(literal) : literal,
  );

/** A key as one segment of a JSON pointer. */
export function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

const BEFORE = 20;
const SHOWN = 80;

/** The difference of two texts that are not JSON: an excerpt of each around the first character that differs. */
export function textDifference(recorded: string, now: string): Difference {
  let at = 0;
  while (at < recorded.length && recorded.charCodeAt(at) === now.charCodeAt(at)) at++;
  const from = Math.max(0, at - BEFORE);
  const around = (text: string): string =>
    (from === 0 ? "" : "…") + text.slice(from, from + SHOWN) + (text.length > from + SHOWN ? "…" : "");
  return { pointer: "", recorded: around(recorded), now: around(now) };
}
