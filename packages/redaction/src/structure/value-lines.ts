import type { Change } from "../scrub/change.ts";
import { shifted } from "../scrub/change.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { overlaid } from "./piece-columns.ts";
import { RecordPieces } from "./record-pieces.ts";
import { valueChanges } from "./value.ts";
import { type ValueLeaf, valueLeaves } from "./value-leaves.ts";

/**
 * Changes of typed values that one stream has yielded, one a line: of each alone, and of values that are cut between
 * strings of the same field of several. Null: a line is no typed text.
 */
export function valueLinesChanges(text: string, context: ScanContext, nest: Nesting): readonly Change[] | null {
  const lines = text.split("\n");
  const pieces = new RecordPieces(true);
  const starts: number[] = [];
  const messages: [message: Span, stack: Span][] = [];
  let at = 0;
  for (const line of lines) {
    const read = valueLeaves(line, nest.path !== null);
    if (read === null && !/^-?\d+$/.test(line)) return null;
    const from = at;
    if (read !== null) pieces.add("", line, read.leaves, null, nest, (found) => shifted(found, from));
    for (const [message, stack] of read === null ? [] : messagesOf(read.leaves))
      messages.push([shiftedSpan(message, from), shiftedSpan(stack, from)]);
    starts.push(from);
    at += line.length + 1;
  }
  const found = pieces.changes(context);
  const cut = overlaid([], [...found, ...inStacks(text, messages, found)]);
  const out: Change[] = [];
  let next = 0;
  for (const [n, line] of lines.entries()) {
    const start = starts[n] ?? 0;
    const own: Change[] = [];
    for (let change = cut[next]; change !== undefined && change.start < start + line.length; change = cut[++next])
      own.push(change);
    const changes = valueChanges(line, context, nest, shifted(own, -start));
    if (changes === null) {
      if (own.length > 0) return null;
      continue;
    }
    out.push(...shifted(changes, start));
  }
  return out;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const shiftedSpan = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

/** The message of each error, with the stack that repeats it. */
function messagesOf(leaves: readonly ValueLeaf[]): [Span, Span][] {
  const byFrame = new Map(leaves.flatMap((leaf) => (leaf.member === "message" ? [[leaf.frame, leaf] as const] : [])));
  return leaves.flatMap((stack): [Span, Span][] => {
    if (stack.member !== "stack" || stack.isName) return [];
    const message = byFrame.get(stack.frame);
    return message === undefined ? [] : [[message, stack]];
  });
}

/** What is cut out of a message goes from its stack, too. */
function inStacks(text: string, messages: readonly [Span, Span][], cut: readonly Change[]): Change[] {
  return messages.flatMap(([message, stack]) => {
    const own = cut.filter(({ start, end }) => start >= message.start && end <= message.end);
    const at = text.slice(stack.start, stack.end).indexOf(text.slice(message.start, message.end));
    return own.length === 0 || at === -1 ? [] : shifted(own, stack.start + at - message.start);
  });
}
