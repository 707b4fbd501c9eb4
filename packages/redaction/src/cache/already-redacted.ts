import { hash } from "node:crypto";
import type { ScrubHint } from "@reenact/capture";
import { nameClass } from "../names/name-class.ts";

/**
 * Texts that a fence has let through in this process, by content, content type and class of name: a flag could be set on
 * a text that changed since, and what may stand under one name may be a secret under another.
 */
export interface AlreadyRedacted {
  has(text: string, hint?: ScrubHint): boolean;
  add(text: string, hint?: ScrubHint): void;
  /** A later fence is there and will ask: from now on texts are remembered. */
  watch(): void;
}

/** Remembers the newest `limit` texts. `classOf`: names of one class judge every text alike. */
export function createAlreadyRedacted(classOf: (name: string) => string = nameClass, limit = 65_536): AlreadyRedacted {
  const seen = new Set<string>();
  let watched = false;
  const slot = (text: string, { key = "", mime = "" }: ScrubHint = {}): string =>
    `${hash("sha256", text, "base64").slice(0, 22)}${text.length} ${mime.length} ${mime}${classOf(key)}`;
  return {
    has: (text, hint) => text === "" || (seen.size > 0 && seen.has(slot(text, hint))),
    add(text, hint) {
      if (!watched || text === "") return;
      if (seen.size >= limit) seen.delete(seen.values().next().value as string);
      seen.add(slot(text, hint));
    },
    watch() {
      watched = true;
    },
  };
}
