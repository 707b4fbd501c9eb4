import { sampleHash } from "./sample-hash.ts";
import { ownCopy } from "../scrub/own-copy.ts";
import type { FieldContext } from "../names/field-context.ts";

/** Short texts in which nothing was found: names, roles and ids come back in every message and every chunk. */
export interface CleanTexts {
  has(text: string, from: number, to: number, place: FieldContext): boolean;
  add(text: string, place: FieldContext): void;
  clear(): void;
}

/** of each place; a power of two */
const SLOTS = 1024;
const SAMPLES = 8;

/** A text is held until another one takes its slot. */
export function createCleanTexts(): CleanTexts {
  const byPlace = new Map<FieldContext, string[]>();
  const slotOf = (text: string, from: number, to: number): number => sampleHash(text, from, to, SAMPLES) & (SLOTS - 1);
  return {
    has(text, from, to, place) {
      const known = byPlace.get(place)?.[slotOf(text, from, to)];
      return known !== undefined && known.length === to - from && text.startsWith(known, from);
    },
    add(text, place) {
      let slots = byPlace.get(place);
      if (slots === undefined) byPlace.set(place, (slots = Array.from({ length: SLOTS }, () => "")));
      slots[slotOf(text, 0, text.length)] = ownCopy(text);
    },
    clear() {
      byPlace.clear();
    },
  };
}
