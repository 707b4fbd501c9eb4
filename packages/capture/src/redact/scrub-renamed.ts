import { findTokens, renumberValue } from "@reenact/envelope";
import { plainJson } from "./plain-json.ts";

/** What may have a `toJSON` of its own, which gives members other names. */
const MAY_RENAME = /\["(?:Instance|Error)",|\["\?","function toJSON"\]/;

/** JSON of a value whose `toJSON` may give members other names; null: it has none, or no JSON. `typed`: its typed encoding. */
export function renamedJson(value: unknown, typed: string): string | null {
  return mayRename(typed) ? plainJson(value, typed) : null;
}

export const mayRename = (typed: string): boolean => MAY_RENAME.test(typed);

/** The same of what was thrown, which may hold half a program: only of an error that says itself what its JSON is. */
export function thrownJson(thrown: unknown, typed: string): string | null {
  try {
    const { toJSON } = thrown as { toJSON?: unknown };
    return typeof toJSON === "function" ? plainJson(thrown, typed) : null;
  } catch {
    return null;
  }
}

/** A value in both forms that a step records of it: typed, and JSON. Null: it has none. */
export interface BothForms {
  readonly typed: string;
  readonly json: string | null;
}

/**
 * The redacted forms of a value whose `toJSON` may rename members. What one form holds under a secret or personal name, and
 * hides whole, the other one hides too, whatever it stands under there.
 */
export function hiddenInBoth(original: BothForms, redacted: BothForms): BothForms {
  if (original.json === null || redacted.json === null || !MAY_RENAME.test(original.typed)) return redacted;
  try {
    const [before, after] = [original.typed, redacted.typed].map((text) => JSON.parse(text) as unknown[]);
    const hidden = new Map(hiddenValues(JSON.parse(original.json), JSON.parse(redacted.json)));
    // where a text was divided in two, nodes have other numbers
    if (before?.length === after?.length)
      for (const [value, put] of hiddenValues(before, after)) hidden.set(value, put);
    if (hidden.size === 0) return redacted;
    const nodes = (JSON.parse(redacted.typed) as unknown[]).map((node) => hidden.get(node) ?? node);
    const typed = renumberValue(JSON.stringify(nodes));
    const shown = JSON.stringify(JSON.parse(redacted.json), (_name, value: unknown) => hidden.get(value) ?? value);
    return { typed, json: shown };
  } catch {
    return redacted;
  }
}

/** What stands for the leaves of a JSON text that were replaced whole. */
export function hiddenLeaves(original: string, redacted: string): ReadonlyMap<unknown, unknown> {
  try {
    return new Map(hiddenValues(JSON.parse(original), JSON.parse(redacted)));
  } catch {
    return new Map();
  }
}

/** Shorter texts are words that stand anywhere. */
const SHORTEST = 4;

/** Leaves of a value that were replaced whole, by what they were. */
function hiddenValues(before: unknown, after: unknown): [unknown, unknown][] {
  if (typeof before === "string")
    return before !== after && before.length >= SHORTEST && isToken(after) ? [[before, after]] : [];
  if (typeof before === "number") return before !== after && isNines(after) ? [[before, after]] : [];
  if (typeof before !== "object" || before === null || typeof after !== "object" || after === null) return [];
  // names of members may have been replaced too: their order stays
  const [values, others] = [Object.values(before), Object.values(after)];
  return values.flatMap((value, n) => hiddenValues(value, others[n]));
}

const isNines = (value: unknown): boolean => typeof value === "number" && /^-?9{4,15}0*$/.test(String(value));

const isToken = (value: unknown): boolean => typeof value === "string" && findTokens(value)[0]?.token === value;
