export type Json = Record<string, unknown>;

/** The value if it is an object of JSON, else an empty one. */
export function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The value if it is a list, else an empty one. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
