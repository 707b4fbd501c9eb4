import { applied, type Change } from "./change.ts";

const MOST_ROUNDS = 4;

/**
 * The changes of a text with those that the changed text needs in turn: what a policy drops, masks or gives a shape may
 * leave behind what looks like a value. So a second reading of the outcome changes nothing.
 */
export function settledChanges(
  text: string,
  changes: readonly Change[],
  read: (text: string) => readonly Change[],
): readonly Change[] {
  let all = changes;
  for (let round = 1; round < MOST_ROUNDS && all.length > 0; round++) {
    const before = applied(text, all);
    const more = read(before).filter(({ start, end, with: put }) => before.slice(start, end) !== put);
    if (more.length === 0) break;
    all = composed(text, all, more, applied(before, more));
  }
  return all;
}

/** One list for two that were made one after the other; `result` is what both come to. */
function composed(text: string, first: readonly Change[], second: readonly Change[], result: string): Change[] {
  const out: Change[] = [];
  let next = 0;
  let shift = 0;
  const take = (): { change: Change; start: number; end: number } => {
    const change = first[next++] as Change;
    const start = change.start + shift;
    shift += change.with.length - (change.end - change.start);
    return { change, start, end: start + change.with.length };
  };
  const startOf = (at: number): number => (first[at]?.start ?? Number.POSITIVE_INFINITY) + shift;
  const endOf = (at: number): number => startOf(at) + (first[at]?.with.length ?? 0);
  let free = 0;
  for (const change of second) {
    while (endOf(next) <= change.start) out.push(take().change);
    // both lie in what one earlier change has put in
    if (change.start < free) return [wholeChange(text, first, second, result)];
    let start = change.start - shift;
    let end = -1;
    let [prefix, suffix] = ["", ""];
    while (startOf(next) < change.end) {
      const taken = take();
      if (taken.start < change.start) {
        start = taken.change.start;
        prefix = taken.change.with.slice(0, change.start - taken.start);
      }
      if (taken.end <= change.end) continue;
      end = taken.change.end;
      suffix = taken.change.with.slice(change.end - taken.start);
      free = taken.end;
    }
    out.push({ ...change, start, end: end === -1 ? change.end - shift : end, with: prefix + change.with + suffix });
  }
  while (next < first.length) out.push(take().change);
  return out;
}

function wholeChange(text: string, first: readonly Change[], second: readonly Change[], result: string): Change {
  const { type } = second[0] ?? first[0] ?? { type: null };
  return { start: 0, end: text.length, with: result, type };
}
