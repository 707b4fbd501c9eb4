import type { Placeholder } from "./typed-value.ts";

const texts = new WeakMap<object, string>();

/** What a decoded value has in the place of one that could not be encoded. */
export function placeholder(text: string): Placeholder {
  const made = Object.freeze({ "reenact.placeholder": text });
  texts.set(made, text);
  return made;
}

/** What stands in a placeholder that was decoded, so that it is encoded as what it is; null: the value is none. */
export function placeholderText(value: object): string | null {
  return texts.get(value) ?? null;
}
