import { diffWordsWithSpace } from "diff";

/** Changes of words above which the two texts stand below one another. */
const MOST_EDITS = 400;

/** A part of two texts. Neither added nor removed: it is the same in both. */
export interface WordChange {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: string;
}

/**
 * How a text changed, word by word. Words that were replaced one after another are one change: only the blanks between them
 * are the same. Two texts with little in common are one change.
 */
export function wordChanges(was: string, is: string): WordChange[] {
  const parts = diffWordsWithSpace(was, is, { maxEditLength: MOST_EDITS }) ?? [
    { added: false, removed: true, value: was },
    { added: true, removed: false, value: is },
  ];
  const changes: WordChange[] = [];
  let [removed, added] = ["", ""];
  const close = () => {
    if (removed !== "") changes.push({ added: false, removed: true, value: removed });
    if (added !== "") changes.push({ added: true, removed: false, value: added });
    [removed, added] = ["", ""];
  };
  for (const [at, part] of parts.entries()) {
    const isBetween = at > 0 && at < parts.length - 1 && part.value.trim() === "";
    const isSame = !part.added && !part.removed;
    if (isSame && !isBetween) {
      close();
      changes.push({ added: false, removed: false, value: part.value });
      continue;
    }
    if (!part.added) removed += part.value;
    if (!part.removed) added += part.value;
  }
  close();
  return changes;
}
