import { hash } from "node:crypto";

/** Texts that a fence has let through in this process, by content: a flag could be set on a text that changed since. */
export interface Passed {
  has(text: string): boolean;
  add(text: string): void;
  /** A later fence is there and will ask: from now on texts are remembered. */
  watch(): void;
}

/** Remembers the newest `limit` texts. */
export function createPassed(limit = 65_536): Passed {
  const seen = new Set<string>();
  let watched = false;
  const digest = (text: string): string => hash("sha256", text, "base64").slice(0, 22) + text.length;
  return {
    has: (text) => text === "" || seen.has(digest(text)),
    add(text) {
      if (!watched || text === "") return;
      if (seen.size >= limit) seen.delete(seen.values().next().value as string);
      seen.add(digest(text));
    },
    watch() {
      watched = true;
    },
  };
}
