import { ownCopy } from "../scrub/own-copy.ts";
import { createTextMap, type TextMap } from "./text-map.ts";

/** Bounded store of what was found in texts seen before, by their content: history repeats at every turn. */
export interface Memo<T> {
  /** null: too short to be worth it */
  key(text: string, variant: string): MemoKey | null;
  get(key: MemoKey): T | undefined;
  set(key: MemoKey, value: T, size: number): void;
  clear(): void;
}

export interface MemoKey {
  readonly text: string;
  /** what else the value depends on */
  readonly variant: string;
}

const SHORTEST = 512;
const ENTRY = 128;
const MOST_VARIANTS = 256;

/**
 * `bytes` bounds the estimated size of all entries with their texts. Two generations: when the young one has half of
 * the bytes, it becomes the old one, and what was not read since is dropped. (One map in order of use would fill
 * with the holes of deleted entries, which every look at its oldest entry walks over.) Texts are compared, not hashed.
 */
export function createMemo<T>(bytes: number): Memo<T> {
  type Entries = Map<string, TextMap<{ value: T; size: number }>>;
  let young: Entries = new Map();
  let old: Entries = new Map();
  let used = 0;

  function put({ text, variant }: MemoKey, entry: { value: T; size: number }): void {
    let texts = young.get(variant);
    if (texts === undefined) young.set(variant, (texts = createTextMap()));
    texts.set(text, entry);
    used += entry.size;
    if (used * 2 <= bytes && young.size <= MOST_VARIANTS) return;
    old = young;
    young = new Map();
    used = 0;
  }

  return {
    key: (text, variant) => (text.length < SHORTEST ? null : { text, variant }),
    get(key) {
      const fresh = young.get(key.variant)?.get(key.text);
      if (fresh !== undefined) return fresh.value;
      const entry = old.get(key.variant)?.get(key.text);
      if (entry !== undefined) put({ text: ownCopy(key.text), variant: key.variant }, entry);
      return entry?.value;
    },
    set(key, value, size) {
      if (young.get(key.variant)?.has(key.text) === true) return;
      put({ text: ownCopy(key.text), variant: key.variant }, { value, size: size + ENTRY + key.text.length });
    },
    clear() {
      young = new Map();
      old = new Map();
      used = 0;
    },
  };
}
