/** JSON with nothing lost: numbers as source literals, duplicate keys, key order, offsets (UTF-16 units) into the source. */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonWord;

interface Span {
  start: number;
  end: number;
}
export interface JsonMember {
  key: string;
  value: JsonNode;
}
export interface JsonObject extends Span {
  type: "object";
  members: JsonMember[];
}
export interface JsonArray extends Span {
  type: "array";
  items: JsonNode[];
}
export interface JsonString extends Span {
  type: "string";
  value: string;
}
export interface JsonNumber extends Span {
  type: "number";
  literal: string;
}
export interface JsonWord extends Span {
  type: "true" | "false" | "null";
}

/** The value of a key of an object, the last one of duplicates; undefined for everything that is no object. */
export function member(node: JsonNode, key: string): JsonNode | undefined {
  return node.type === "object" ? node.members.findLast((each) => each.key === key)?.value : undefined;
}

/**
 * The plain value, as `JSON.parse` gives it: the last of duplicate keys wins, `__proto__` is a key like any other.
 * `numberOf`: the value of a number from its literal.
 */
export function toValue(node: JsonNode, numberOf: (literal: string) => unknown = Number): unknown {
  switch (node.type) {
    case "object": {
      const object: Record<string, unknown> = {};
      for (const { key, value } of node.members) setOwn(object, key, toValue(value, numberOf));
      return object;
    }
    case "array":
      return node.items.map((item) => toValue(item, numberOf));
    case "string":
      return node.value;
    case "number":
      return numberOf(node.literal);
    case "true":
      return true;
    case "false":
      return false;
    case "null":
      return null;
  }
}

/** Sets an own property whatever its name: an assignment to `__proto__` would change the prototype. */
export function setOwn(object: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else (object as Record<string, unknown>)[key] = value;
}
