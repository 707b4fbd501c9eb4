import { type Change, shifted } from "../scrub/change.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { isSecretName } from "../names/secret-name.ts";
import { leavesChanges } from "./json.ts";
import type { Leaf } from "./json-leaf.ts";
import { firstJson } from "./json-leaves.ts";
import { decodeLiteral } from "./literal.ts";
import { LINE_MARK } from "./table-cells.ts";

const MARKS = new RegExp(`^(?:${LINE_MARK.source})`, "gm");
/** JSON that begins a line, or an object or a list of them or of lists behind a space or a sign. */
const OPENS = /^[ \t]*[[{](?=\s*["[{])|(?<=[\s:=(>`|,])(?:\{(?=\s*")|\[(?=\s*(?:\{\s*"|\[)))/gm;
const PAIRS = /\[\s{0,64}\[\s{0,64}"/;
/** Code opens so too: so much of a text is read in vain. */
const MOST_IN_VAIN = 256 * 1024;
const EACH_TRY = 256;
/** Most is shorter, and to look for the end of it costs no more than this. */
const NEAR = 64 * 1024;
/** Longer ones are read to the end of the text. */
const MOST_LONG = 4;

/** Text that was folded is no JSON: its strings have line ends in them. They are read with all of the text. */
const isWhole = ({ escaped, start, end, key }: Leaf, text: string): boolean =>
  !escaped || isSecretName(key) || decodeLiteral(text.slice(start, end)) !== null;

/** Changes inside the JSON in a text: what begins a line, with or without marks before its lines, and what stands in one. */
export function embeddedChanges(text: string, context: ScanContext, nest: Nesting): Change[] {
  if (!text.includes('":') && !PAIRS.test(text)) return [];
  const out: Change[] = [];
  const bare = text.replace(MARKS, (mark) => " ".repeat(mark.length));
  let from = 0;
  let long = 0;
  for (let vain = 0; vain < MOST_IN_VAIN;) {
    OPENS.lastIndex = from;
    if (!OPENS.test(bare)) break;
    from = OPENS.lastIndex;
    const start = from - 1;
    let read = bare.slice(start, start + NEAR);
    let found = firstJson(read, 0, nest.path !== null);
    if (found.leaves === null && found.isCut && start + NEAR < bare.length && long++ < MOST_LONG) {
      read = bare.slice(start);
      found = firstJson(read, 0, nest.path !== null);
    }
    if (found.leaves === null) {
      vain += found.end + EACH_TRY;
      continue;
    }
    const leaves = found.leaves.filter((leaf) => isWhole(leaf, read));
    out.push(...shifted(leavesChanges(read, leaves, context, { ...nest, depth: nest.depth + 1 }), start));
    from = start + found.end;
  }
  return out;
}
