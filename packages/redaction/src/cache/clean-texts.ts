import { sampleHash } from "./sample-hash.ts";
import { ownCopy } from "../scrub/own-copy.ts";
import type { FieldContext } from "../names/field-context.ts";

/** Short texts in which nothing was found: names, roles and ids come back in every message and every chunk. */
export interface CleanTexts {
  has(text: string, from: number, to: number, field: FieldContext): boolean;
  add(text: string, field: FieldContext): void;
  clear(): void;
}

/** of each slot; a power of two */
const SLOTS = 1024;
const SAMPLES = 8;

/** A text is held until another one takes its slot. */
export function createCleanTexts(): CleanTexts {
  const byField = new Map<FieldContext, string[]>();
  const slotOf = (text: string, from: number, to: number): number => sampleHash(text, from, to, SAMPLES) & (SLOTS - 1);
  return {
    has(text, from, to, field) {
      const known = byField.get(field)?.[slotOf(text, from, to)];
      return known !== undefined && known.length === to - from && text.startsWith(known, from);
    },
    add(text, field) {
      let slots = byField.get(field);
      if (slots === undefined) byField.set(field, (slots = Array.from({ length: SLOTS }, () => "")));
      slots[slotOf(text, 0, text.length)] = ownCopy(text);
    },
    clear() {
      byField.clear();
    },
  };
}
