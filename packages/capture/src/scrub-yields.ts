import { scrubText, type Tally } from "./scrub-exchange.ts";
import type { Edit, Scrubber } from "./scrubber.ts";

/** Texts above this in all are read one by one only. UTF-16 units */
const MOST_TOGETHER = 4 * 1024 * 1024;

/**
 * Typed texts of the values that a generator yields. Where they are texts, as those of a model's answer that is handed on
 * piece by piece, a value that is cut between them is found too: its token stands where it began. `one` redacts each of
 * them alone.
 */
export function scrubYields(
  yields: readonly string[],
  one: (text: string) => string,
  scrubber: Scrubber,
  tally: Tally,
): string[] {
  const alone = yields.map(one);
  const pieces = yields.map(pieceOf);
  for (let from = 0; from < pieces.length;) {
    let to = from;
    for (let size = 0; to < pieces.length && pieces[to] !== null && size <= MOST_TOGETHER; to++)
      size += (pieces[to] as string).length;
    if (to - from > 1)
      joined(pieces.slice(from, to) as string[], scrubber, tally)?.forEach((text, n) => (alone[from + n] = text));
    from = Math.max(to, from + 1);
  }
  return alone;
}

/** A text that is yielded by itself; null: the value is another one. */
function pieceOf(text: string): string | null {
  if (!text.startsWith('["') || !text.endsWith('"]')) return null;
  try {
    const nodes = JSON.parse(text) as unknown[];
    return nodes.length === 1 && typeof nodes[0] === "string" ? nodes[0] : null;
  } catch {
    return null;
  }
}

/** Null: no value is cut between these pieces. */
function joined(pieces: readonly string[], scrubber: Scrubber, tally: Tally): string[] | null {
  const whole = pieces.join("");
  const { edits } = scrubber.scrub(whole, {});
  const starts: number[] = [];
  let at = 0;
  for (const piece of pieces) {
    starts.push(at);
    at += piece.length;
  }
  const isCut = ({ start, end }: Edit): boolean => starts.some((begin) => start < begin && begin < end);
  if (!edits.some(isCut)) return null;
  scrubText(scrubber, whole, tally, {});
  return pieces.map((piece, n) => JSON.stringify([within(piece, starts[n] as number, edits)]));
}

/** A piece with what replaces values that begin in it, and without what is left of values that began before. */
function within(piece: string, from: number, edits: readonly Edit[]): string {
  const to = from + piece.length;
  let out = "";
  let at = from;
  for (const edit of edits) {
    if (edit.end <= from || edit.start >= to) continue;
    if (edit.start > at) out += piece.slice(at - from, edit.start - from);
    if (edit.start >= from) out += edit.with;
    at = Math.min(to, edit.end);
  }
  return out + piece.slice(at - from);
}
