import { hash } from "node:crypto";

/** Bounded store of what was found in texts seen before, by their content: history repeats at every turn. */
export interface Memo<T> {
  /** null: too short to be worth it, or not exactly encodable */
  key(text: string, variant: string): string | null;
  get(key: string): T | undefined;
  set(key: string, value: T, size: number): void;
  clear(): void;
}

const SHORTEST = 512;
const ENTRY = 128;

/**
 * `bytes` bounds the estimated size of all entries. Two generations: when the young one has half of the bytes, it
 * becomes the old one, and what nobody has asked for since goes. (One map in order of use would fill with the holes
 * of deleted entries, which every look at its oldest entry walks over.)
 */
export function createMemo<T>(bytes: number): Memo<T> {
  type Entries = Map<string, { value: T; size: number }>;
  let young: Entries = new Map();
  let old: Entries = new Map();
  let used = 0;

  function put(key: string, entry: { value: T; size: number }): void {
    const held = young.get(key);
    if (held !== undefined) used -= held.size;
    young.set(key, entry);
    used += entry.size;
    if (used * 2 <= bytes) return;
    old = young;
    young = new Map();
    used = 0;
  }

  return {
    key(text, variant) {
      if (text.length < SHORTEST || !text.isWellFormed()) return null;
      return `${variant}${hash("sha256", text, "base64")}${text.length}`;
    },
    get(key) {
      const entry = young.get(key) ?? old.get(key);
      if (entry === undefined) return undefined;
      if (!young.has(key)) put(key, entry);
      return entry.value;
    },
    set: (key, value, size) => put(key, { value, size: size + ENTRY }),
    clear() {
      young = new Map();
      old = new Map();
      used = 0;
    },
  };
}
