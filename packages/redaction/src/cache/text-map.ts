import { sampleHash } from "./sample-hash.ts";

/** Values by long texts. */
export interface TextMap<T> {
  get(text: string): T | undefined;
  set(text: string, value: T): void;
  has(text: string): boolean;
}

interface Entry<T> {
  readonly text: string;
  value: T;
}

const SAMPLES = 24;
/** More texts of one hash are not held: each of them is compared. */
const MOST_ALIKE = 8;

/**
 * A map that does not read a text to its end to look it up: a hash of samples says where to look, and a comparison whether it is
 * the one.
 */
export function createTextMap<T>(): TextMap<T> {
  const byHash = new Map<number, Entry<T>[]>();
  const entryOf = (text: string): Entry<T> | undefined => {
    const alike = byHash.get(sampleHash(text, 0, text.length, SAMPLES));
    if (alike !== undefined) for (const entry of alike) if (entry.text === text) return entry;
    return undefined;
  };
  return {
    get: (text) => entryOf(text)?.value,
    has: (text) => entryOf(text) !== undefined,
    set(text, value) {
      const entry = entryOf(text);
      if (entry !== undefined) {
        entry.value = value;
        return;
      }
      const at = sampleHash(text, 0, text.length, SAMPLES);
      const alike = byHash.get(at);
      if (alike === undefined) byHash.set(at, [{ text, value }]);
      else if (alike.unshift({ text, value }) > MOST_ALIKE) alike.pop();
    },
  };
}
