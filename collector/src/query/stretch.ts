import { beginOf } from "./begin-of.ts";
import type { Stretch } from "./view-schema.ts";

/** Characters that are given of one text. The API gives whole texts as parts of the step. */
const PREVIEW = 4_000;
/** Characters that are given of a changed text before the first one that differs. */
const LEAD = 200;

/** The part of a text from a place on. Begins and ends with no half of a surrogate pair. */
export function stretchOf(text: string, from = 0, longest = PREVIEW): Stretch {
  const start = /[\uDC00-\uDFFF]/.test(text[from] ?? "") && from > 0 ? from + 1 : from;
  return { text: beginOf(text.slice(start), longest), from: start, length: text.length };
}

/** Of two texts the parts around the place where they first differ. */
export function differingStretches(was: string, is: string, longest = PREVIEW): { was: Stretch; is: Stretch } {
  let at = 0;
  while (at < was.length && at < is.length && was[at] === is[at]) at++;
  const from = Math.max(0, at - Math.min(LEAD, longest / 2));
  return { was: stretchOf(was, from, longest), is: stretchOf(is, from, longest) };
}
