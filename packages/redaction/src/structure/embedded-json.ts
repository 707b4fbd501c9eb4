import type { Change } from "../change.ts";
import type { Ground } from "../leaf.ts";
import type { Nesting } from "../nesting.ts";
import { leavesChanges } from "./json.ts";
import { firstJson } from "./json-leaves.ts";
import { LINE_MARK } from "./table-cells.ts";

const MARKS = new RegExp(`^(?:${LINE_MARK.source})`, "gm");
const OPENS = /^[ \t]*[[{](?=\s*["[{])/gm;
/** Code opens lines so too; each try may read to the end. */
const MOST_TRIES = 16;

/** Changes inside the JSON that begins a line of a text, with or without marks before its lines. */
export function embeddedChanges(text: string, ground: Ground, nest: Nesting): Change[] {
  if (!text.includes('":')) return [];
  const out: Change[] = [];
  const bare = text.replace(MARKS, (mark) => " ".repeat(mark.length));
  let from = 0;
  for (let tries = 0; tries < MOST_TRIES;) {
    OPENS.lastIndex = from;
    if (!OPENS.test(bare)) break;
    from = OPENS.lastIndex;
    const found = firstJson(bare, from - 1, nest.path !== null);
    if (found === null) tries++;
    else {
      out.push(...leavesChanges(bare, found.leaves, ground, { ...nest, depth: nest.depth + 1 }));
      from = found.end;
    }
  }
  return out;
}
