import type { Area } from "../area.ts";
import type { Cue } from "../cue.ts";
import { cueBefore } from "./announced.ts";
import { createPhrase, endOf, kindOf, mayPrecede, MIXED, readPhrase, SEPARATOR, startOf } from "./phrase.ts";

/** The phrase that is looked at. One scan of a phrase ends before the next one begins, so that one object is enough. */
export const phrase = createPhrase();
/** the words before the phrase that announce it; null: not searched yet */
let cue: Cue | null = null;

/** Reads the phrase that begins at `start`. */
export function readCurrentPhrase(text: string, start: number, to: number): void {
  readPhrase(phrase, text, start, to);
  cue = null;
}

/** What is announced before the phrase; looked for once. */
export const cueOf = (text: string, area: Area): Cue => (cue ??= cueBefore(text, startOf(phrase, 0), area));

/** What was found before the phrase; null: it was not looked for. */
export const foundCue = (): Cue | null => cue;

export const isAnnouncedAs = (kind: number, text: string, area: Area): boolean =>
  (cueOf(text, area).kinds & kind) !== 0;

/** Digits stand before group `i`: it may be the rest of a longer number. */
export const isBehindDigits = (i: number): boolean => i > 0 && kindOf(phrase, i - 1) < MIXED;

/** Whether a number may end with group `j`. */
export function mayEndAt(text: string, j: number, to: number): boolean {
  if (j + 1 < phrase.count) return phrase.separators[j + 1] === SEPARATOR.space;
  return !phrase.full && mayPrecede(text, endOf(phrase, j), to);
}
