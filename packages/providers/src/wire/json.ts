/** JSON of the wire, read without trust: every function here answers for any input. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Where a number could lose digits: a long literal, or an exponent. */
const PRECIOUS = /[:,[]\s*-?(?:\d[\d.]{15}|[\d.]{1,17}[eE])/;

/** The value, or undefined when the text is no JSON. Numbers that JavaScript would round keep their literal. */
export function readJson(text: string): unknown {
  try {
    return PRECIOUS.test(text) ? JSON.parse(text, keepLiteral) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compact JSON text; empty when the value has none (undefined, a function, nested too deep). */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

export function object(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Like `text`, but an empty string counts as absent. */
export function filled(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A finite number that is not negative. */
export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** `JSON.rawJSON` and the source of a literal are in every Node since 21, not yet in TypeScript's libraries. */
const json = JSON as unknown as { rawJSON(literal: string): unknown };

function keepLiteral(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return context?.source === undefined || String(value) === context.source ? value : json.rawJSON(context.source);
}
