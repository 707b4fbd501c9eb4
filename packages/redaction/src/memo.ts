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

/** `bytes` bounds the estimated size of all entries; the one unused for longest goes first. */
export function createMemo<T>(bytes: number): Memo<T> {
  const entries = new Map<string, { value: T; size: number }>();
  let used = 0;
  return {
    key(text, variant) {
      if (text.length < SHORTEST || !text.isWellFormed()) return null;
      return `${variant}${hash("sha256", text, "base64")}${text.length}`;
    },
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, size) {
      const held = entries.get(key);
      if (held !== undefined) used -= held.size;
      entries.delete(key);
      entries.set(key, { value, size: size + ENTRY });
      used += size + ENTRY;
      for (const [oldest, entry] of entries) {
        if (used <= bytes) break;
        entries.delete(oldest);
        used -= entry.size;
      }
    },
    clear() {
      entries.clear();
      used = 0;
    },
  };
}
