/** An object of JSON, no list. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The list that a member holds; null: it holds none. */
export const listOf = (value: unknown): unknown[] | null => (Array.isArray(value) ? (value as unknown[]) : null);

/** The parsed text; undefined: it is not JSON. */
export function parsedJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A member's name as a part of a JSON pointer. */
export const pointerPart = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** A string, number, boolean or null within a JSON value. */
export interface JsonLeaf {
  /** JSON pointer; empty: the value itself */
  readonly pointer: string;
  /** the member that holds it, or the one around the list that holds it; empty: none */
  readonly member: string;
  readonly value: string | number | boolean | null;
}

/** The leaves of a JSON value in its order, at most `most`. */
export function leavesOf(value: unknown, most: number): JsonLeaf[] {
  const found: JsonLeaf[] = [];
  const walk = (each: unknown, pointer: string, member: string): void => {
    if (found.length >= most) return;
    if (Array.isArray(each)) each.forEach((item, at) => walk(item, `${pointer}/${at}`, member));
    else if (isFields(each))
      for (const [name, item] of Object.entries(each)) walk(item, `${pointer}/${pointerPart(name)}`, name);
    else if (each === null || typeof each === "string" || typeof each === "number" || typeof each === "boolean")
      found.push({ pointer, member, value: each });
  };
  walk(value, "", "");
  return found;
}
