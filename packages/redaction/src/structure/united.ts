import type { Change } from "../scrub/change.ts";

/**
 * The changes of a text together with others of the same text. Of two that cross, the one that covers the other stands;
 * `both` makes one change of a stretch where neither does.
 */
export function united(
  all: readonly Change[],
  more: readonly Change[],
  both: (start: number, end: number, type: string) => readonly Change[],
): readonly Change[] {
  if (more.length === 0) return all;
  const sorted = [...all, ...more].sort((a, b) => a.start - b.start || b.end - a.end);
  const out: Change[] = [];
  for (const change of sorted) {
    const last = out.at(-1);
    if (last === undefined || change.start >= last.end) out.push(change);
    else if (change.end > last.end) {
      out.pop();
      out.push(...(change.start === last.start ? [change] : both(last.start, change.end, last.type ?? "SECRET")));
    }
  }
  return out;
}
