/** What a revision showed: as the first one, changed, or nothing, since it cannot be replayed. */
export type Shown = "same" | "changed" | "untestable";

export interface Search {
  /** positions of the revisions that may be the first changed one; one of them, unless some between cannot be tested */
  readonly candidates: readonly number[];
}

/**
 * Looks for the first changed one of `length` revisions, oldest first: the one before them shows "same", the last one "changed". Each
 * is tried at most once. Ends early, with all that is left, where `test` resolves with null.
 */
export async function firstChanged(length: number, test: (at: number) => Promise<Shown | null>): Promise<Search> {
  let [same, changed] = [-1, length - 1];
  const untestable = new Set<number>();
  for (;;) {
    const at = nextToTry(same, changed, untestable);
    const shown = at === null ? null : await test(at);
    if (at === null || shown === null)
      return { candidates: Array.from({ length: changed - same }, (_, n) => same + 1 + n) };
    if (shown === "same") same = at;
    else if (shown === "changed") changed = at;
    else untestable.add(at);
  }
}

/** The one nearest to the middle that can be tried; null: none. */
function nextToTry(same: number, changed: number, untestable: ReadonlySet<number>): number | null {
  const middle = (same + changed) / 2;
  let best: number | null = null;
  for (let at = same + 1; at < changed; at++)
    if (!untestable.has(at) && (best === null || Math.abs(at - middle) < Math.abs(best - middle))) best = at;
  return best;
}
