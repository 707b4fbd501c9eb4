import type { JsonNode } from "../json/json-node.ts";

/** Writes a decoded string, a key or a value, as a canonical string literal. */
export type StringWriter = (value: string) => string;

/**
 * Canonical JSON: no white space, members sorted by key (UTF-16 code units, equal keys in source order), strings
 * written one way, number literals as in the source. Lone surrogates become `\udXXX`, so the text is well formed.
 */
export function canonicalForm(node: JsonNode, write: StringWriter = (value) => JSON.stringify(value)): string {
  switch (node.type) {
    case "object": {
      const sorted = node.members.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      return `{${sorted.map(({ key, value }) => `${write(key)}:${canonicalForm(value, write)}`).join(",")}}`;
    }
    case "array":
      return `[${node.items.map((item) => canonicalForm(item, write)).join(",")}]`;
    case "string":
      return write(node.value);
    case "number":
      return node.literal;
    case "true":
    case "false":
    case "null":
      return node.type;
  }
}
