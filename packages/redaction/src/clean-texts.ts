import type { Place } from "./place.ts";

/** Short texts in which nothing was found: names, roles and ids come back in every message and every chunk. */
export interface CleanTexts {
  has(text: string, place: Place): boolean;
  add(text: string, place: Place): void;
  clear(): void;
}

const MOST = 4096;

export function createCleanTexts(): CleanTexts {
  const byPlace = new Map<Place, Set<string>>();
  return {
    has: (text, place) => byPlace.get(place)?.has(text) === true,
    add(text, place) {
      let texts = byPlace.get(place);
      if (texts === undefined) byPlace.set(place, (texts = new Set()));
      else if (texts.size >= MOST) texts.clear();
      texts.add(copied(text));
    },
    clear() {
      byPlace.clear();
    },
  };
}

/** A slice would keep the whole text alive that it was cut from. Any string comes back as it was, lone surrogates too. */
function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
