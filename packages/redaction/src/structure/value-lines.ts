import type { Change } from "../change.ts";
import { shifted } from "../change.ts";
import type { Ground } from "../leaf.ts";
import type { Nesting } from "../nesting.ts";
import { RecordPieces } from "./record-pieces.ts";
import { valueChanges } from "./value.ts";
import { valueLeaves } from "./value-leaves.ts";

/**
 * Changes of typed values that one stream has yielded, one a line: of each alone, and of values that are cut between
 * strings at the same place of several. Null: a line is no typed text.
 */
export function valueLinesChanges(text: string, ground: Ground, nest: Nesting): readonly Change[] | null {
  const lines = text.split("\n");
  const pieces = new RecordPieces(true);
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    const read = valueLeaves(line, nest.path !== null);
    if (read === null && !/^-?\d+$/.test(line)) return null;
    const from = at;
    if (read !== null) pieces.add("", line, read.leaves, null, nest, (found) => shifted(found, from));
    starts.push(from);
    at += line.length + 1;
  }
  const cut = pieces.changes(ground);
  const out: Change[] = [];
  let next = 0;
  for (const [n, line] of lines.entries()) {
    const start = starts[n] as number;
    const own: Change[] = [];
    for (; next < cut.length && (cut[next] as Change).start < start + line.length; next++)
      own.push(cut[next] as Change);
    const changes = valueChanges(line, ground, nest, shifted(own, -start));
    if (changes === null) {
      if (own.length > 0) return null;
      continue;
    }
    out.push(...shifted(changes, start));
  }
  return out;
}
