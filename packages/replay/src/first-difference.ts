import { type JsonNode, parseJson, renameTokens } from "@reenact/envelope";

export interface Difference {
  /** not said: of the body, or of the arguments */
  readonly of?: "URL";
  /** RFC 6901; empty for the whole text */
  readonly pointer: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

/** The first value that differs between two texts: a place in a JSON document, else the texts themselves. */
export function firstDifference(recorded: string, now: string): Difference | null {
  if (recorded === now) return null;
  let a: JsonNode;
  let b: JsonNode;
  try {
    a = parseJson(renameTokens(recorded));
    b = parseJson(renameTokens(now));
  } catch {
    return { pointer: "", recorded, now };
  }
  return walk(a, b, "");
}

function walk(a: JsonNode, b: JsonNode, at: string): Difference | null {
  if (a.type === "object" && b.type === "object") {
    for (const { key, value } of a.members) {
      const other = b.members.find((m) => m.key === key);
      const place = `${at}/${escape(key)}`;
      if (other === undefined) return { pointer: place, recorded: valueOf(value), now: undefined };
      const found = walk(value, other.value, place);
      if (found !== null) return found;
    }
    const added = b.members.find((m) => !a.members.some((o) => o.key === m.key));
    return added === undefined
      ? null
      : { pointer: `${at}/${escape(added.key)}`, recorded: undefined, now: valueOf(added.value) };
  }
  if (a.type === "array" && b.type === "array") {
    for (let i = 0; i < Math.max(a.items.length, b.items.length); i++) {
      const left = a.items[i];
      const right = b.items[i];
      const place = `${at}/${i}`;
      if (left === undefined) return { pointer: place, recorded: undefined, now: valueOf(right as JsonNode) };
      if (right === undefined) return { pointer: place, recorded: valueOf(left), now: undefined };
      const found = walk(left, right, place);
      if (found !== null) return found;
    }
    return null;
  }
  if (a.type === "string" && b.type === "string")
    return a.value === b.value ? null : { pointer: at, recorded: a.value, now: b.value };
  const left = valueOf(a);
  const right = valueOf(b);
  return JSON.stringify(left) === JSON.stringify(right) && a.type === b.type
    ? null
    : { pointer: at, recorded: left, now: right };
}

function valueOf(node: JsonNode): unknown {
  switch (node.type) {
    case "object":
      return Object.fromEntries(node.members.map((m) => [m.key, valueOf(m.value)]));
    case "array":
      return node.items.map(valueOf);
    case "string":
      return node.value;
    case "number":
      return Number.isSafeInteger(Number(node.literal)) || node.literal.includes(".")
        ? Number(node.literal)
        : node.literal;
    case "true":
      return true;
    case "false":
      return false;
    case "null":
      return null;
  }
}

function escape(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
