import type { ScrubHint, Scrubbed } from "@reenact/capture";
import { createTextMap, type TextMap } from "./text-map.ts";

/**
 * What was made of whole texts lately, by their content: a request is scrubbed when it goes out and again when its
 * step ends, and most headers stand in every call.
 */
export interface Recent {
  get(text: string, hint: ScrubHint): Scrubbed | undefined;
  set(text: string, hint: ScrubHint, scrubbed: Scrubbed): void;
  clear(): void;
}

const MOST_HINTS = 256;
const LONGEST_SHARE = 4;

/** Begins anew when the texts come to `units` UTF-16 units; a text above a fourth of that is not kept. */
export function createRecent(units: number): Recent {
  const byHint = new Map<string, TextMap<Scrubbed>>();
  let used = 0;
  const slotOf = ({ mime = "", key = "", as = "" }: ScrubHint): string => `${as} ${mime.length} ${mime}${key}`;
  function clear(): void {
    byHint.clear();
    used = 0;
  }
  return {
    get: (text, hint) => byHint.get(slotOf(hint))?.get(text),
    set(text, hint, scrubbed) {
      if (text.length * LONGEST_SHARE > units) return;
      if (used + text.length > units || byHint.size > MOST_HINTS) clear();
      used += text.length + 64;
      const at = slotOf(hint);
      let texts = byHint.get(at);
      if (texts === undefined) byHint.set(at, (texts = createTextMap()));
      texts.set(text, scrubbed);
    },
    clear,
  };
}
