import type { Placeholder } from "./typed-value.ts";

const texts = new WeakMap<object, string>();

/** Stands in a decoded value for one that could not be encoded. */
export function placeholder(text: string): Placeholder {
  const made = Object.freeze({ "reenact.placeholder": text });
  texts.set(made, text);
  return made;
}

/** The text of a placeholder that was decoded, so that it is encoded as a placeholder again; null: the value is none. */
export function placeholderText(value: object): string | null {
  return texts.get(value) ?? null;
}
