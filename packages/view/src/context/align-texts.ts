import type { ReadText } from "../explain/read-texts.ts";
import { longestRising } from "../run/run-diff.ts";

/** A text of one list, or of both. */
export interface AlignedText {
  readonly status: "kept" | "added" | "removed" | "changed";
  /** of a removed one as it was */
  readonly read: ReadText;
  /** the whole text that a changed one was before; null: it did not change */
  readonly was: string | null;
}

/** Part of the words that two versions of one text have in common, at least. */
const LEAST_COMMON = 0.5;

export const textKey = ({ kind, name, text }: ReadText): string => JSON.stringify([kind, name, text]);

/** How one list of texts became another, in the order of the later one; what it lacks stands where it stood. */
export function alignedTexts(before: readonly ReadText[], after: readonly ReadText[]): AlignedText[] {
  const kept = keptPairs(before, after);
  const aligned: AlignedText[] = [];
  let [was, is] = [0, 0];
  for (const [atBefore, atAfter] of [...kept, [before.length, after.length] as const]) {
    aligned.push(...replaced(before.slice(was, atBefore), after.slice(is, atAfter)));
    const read = after[atAfter];
    if (read !== undefined) aligned.push({ status: "kept", read, was: null });
    [was, is] = [atBefore + 1, atAfter + 1];
  }
  return aligned;
}

/** Positions of equal texts, in rising order in both lists. */
function keptPairs(before: readonly ReadText[], after: readonly ReadText[]): (readonly [number, number])[] {
  const places = Map.groupBy(before.keys(), (at) => textKey(before[at]!));
  const equal = after.flatMap((read, at): [number, number][] => {
    const found = places.get(textKey(read))?.shift();
    return found === undefined ? [] : [[found, at]];
  });
  return longestRising(equal.map(([atBefore]) => atBefore)).map((at) => equal[at]!);
}

/** Texts in the place of others: one that has a text of its kind and name there, and enough words of it, is a change of that. */
function replaced(gone: readonly ReadText[], come: readonly ReadText[]): AlignedText[] {
  const aligned: AlignedText[] = [];
  const removeUpTo = (end: number): void => {
    for (; from < end; from++) aligned.push({ status: "removed", read: gone[from]!, was: null });
  };
  let from = 0;
  for (const read of come) {
    const at = gone.findIndex((each, place) => place >= from && isVersion(each, read));
    if (at === -1) {
      aligned.push({ status: "added", read, was: null });
      continue;
    }
    removeUpTo(at);
    aligned.push({ status: "changed", read, was: gone[at]!.text });
    from = at + 1;
  }
  removeUpTo(gone.length);
  return aligned;
}

function isVersion(before: ReadText, after: ReadText): boolean {
  if (before.kind !== after.kind || before.name !== after.name) return false;
  const [was, is] = [wordSet(before.text), wordSet(after.text)];
  const common = [...was].filter((word) => is.has(word)).length;
  return common >= LEAST_COMMON * Math.max(was.size, is.size);
}

const wordSet = (text: string): Set<string> => new Set(text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu));
