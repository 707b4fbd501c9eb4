import { LiteralEnds } from "./literal-ends.ts";

/** The end of an element of an array that is a member of a JSON text's outermost object. */
export interface Cut {
  /** where the array's content begins, behind its bracket */
  readonly from: number;
  /** behind the element */
  readonly at: number;
}

const [QUOTE, COMMA, BEGIN_ARRAY, END_ARRAY, BEGIN_OBJECT, END_OBJECT] = [34, 44, 91, 93, 123, 125];

/** The last ends of elements in such arrays, the last one first. For a text that is known to be JSON. */
export function firstCuts(text: string, most: number): Cut[] {
  return walk(text, 0, [], most);
}

/** Ends of elements behind one that is known. */
export function cutsBehind(text: string, { from, at }: Cut, most: number): Cut[] {
  return walk(text, at, [BEGIN_OBJECT, BEGIN_ARRAY], most, from);
}

function walk(text: string, start: number, open: number[], most: number, arrayFrom = -1): Cut[] {
  const ends = new LiteralEnds(text, text.length);
  const cuts: Cut[] = [];
  let from = arrayFrom;
  const cut = (at: number): void => {
    if (open.length === 2 && open[0] === BEGIN_OBJECT && open[1] === BEGIN_ARRAY && at > start && at > from)
      cuts.push({ from, at });
  };
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = ends.after(at + 1);
      if (at === -1) break;
    } else if (unit === BEGIN_OBJECT || unit === BEGIN_ARRAY) {
      open.push(unit);
      if (open.length === 2) from = at + 1;
    } else if (unit === COMMA) cut(at);
    else if (unit === END_OBJECT || unit === END_ARRAY) {
      cut(at);
      open.pop();
    }
  }
  return cuts.slice(-most).reverse();
}
