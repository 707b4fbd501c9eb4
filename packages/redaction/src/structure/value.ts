import { renumberValue } from "@reenact/envelope";
import { applied, type Change, shifted } from "../scrub/change.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { leavesChanges } from "./json.ts";
import { leafPaths } from "./leaf-paths.ts";
import { overlaid } from "./piece-columns.ts";
import { cutChanges } from "./record-pieces.ts";
import { united } from "./united.ts";
import { type ValueLeaf, valueLeaves, type ValueLeaves } from "./value-leaves.ts";

/** What a reference to a text becomes, at the paths from which it can be read. */
interface Reading {
  readonly leaf: Pick<ValueLeaf, "node" | "reference" | "start">;
  readonly changes: readonly Change[];
}

const NONE: readonly Change[] = [];

/**
 * Changes of a typed value, each leaf under the name that it would have in JSON. A text that two members share, and that
 * goes under one of their names only, is divided into two; nodes are numbered as `encodeValue` would. Null: the text is
 * no typed text. `cut`: changes of values that are cut between this one and others; default: between its own elements.
 */
export function valueChanges(
  text: string,
  context: ScanContext,
  nest: Nesting,
  cut: readonly Change[] | null = null,
): readonly Change[] | null {
  const read = valueLeaves(text, nest.path !== null);
  if (read === null) return null;
  const pieces = cut ?? cutChanges(text, read.leaves, context, nest);
  const changed = new Set<number>();
  const paths = nest.path === null ? null : leafPaths(text, read.leaves, context, nest.path);
  const readings = read.leaves.map((leaf): Reading => {
    const own = leavesChanges(text, [leaf], context, nest, paths);
    const changes = pieces.length === 0 || leaf.isName ? own : overlaid(own, within(pieces, leaf));
    if (changes.length > 0) changed.add(leaf.start);
    return { leaf, changes };
  });
  if (changed.size === 0) return NONE;
  const both = (start: number, end: number, type: string): readonly Change[] => {
    const put = context.replace(text.slice(start, end), { type }, nest.path);
    return put === null ? NONE : [{ start, end, with: put, type }];
  };
  const byText = Map.groupBy(
    [...readings, ...unread(read)].filter(({ leaf }) => changed.has(leaf.start)),
    ({ leaf }) => leaf.start,
  );
  const out: Change[] = [];
  const added: Change[] = [];
  for (const [, each] of byText) {
    const [kept, ...others] = versions(each, both);
    if (kept === undefined) continue;
    out.push(...kept.changes);
    for (const other of others) divide(text, read, other, out, added);
  }
  const changes = [...out.sort((a, b) => a.start - b.start), ...added];
  const result = applied(text, changes);
  const whole = renumberValue(result);
  return whole === result
    ? changes
    : [{ start: 0, end: text.length, with: whole, type: null }, ...counted(changes, text)];
}

const within = (changes: readonly Change[], { start, end }: ValueLeaf): readonly Change[] =>
  changes.filter((change) => change.start >= start && change.end <= end);

/** Where a number stands under no name, it stays. */
function unread({ leaves, numbers, spans }: ValueLeaves): Reading[] {
  const known = new Set(leaves.map(({ reference }) => reference?.start));
  return numbers
    .filter(({ reference }) => !known.has(reference.start))
    .map(({ node, reference }) => ({ leaf: { node, reference, start: spans.starts[node] ?? 0 }, changes: NONE }));
}

interface Version {
  readonly changes: readonly Change[];
  readonly readings: readonly Reading[];
}

/** The redacted text of a node for each of its references. A node that cannot be divided gets the changes of all. */
function versions(
  readings: readonly Reading[],
  both: (start: number, end: number, type: string) => readonly Change[],
): readonly Version[] {
  const byReference = Map.groupBy(readings, ({ leaf }) => (leaf.node === -1 ? -1 : (leaf.reference?.start ?? -1)));
  const each = [...byReference.values()].map((all): Version => {
    const changes = all.reduce<readonly Change[]>((sum, one) => united(sum, one.changes, both), NONE);
    return { changes, readings: all };
  });
  const same = Map.groupBy(each, ({ changes }) => JSON.stringify(changes));
  return [...same.values()].map((all) => ({
    changes: all[0]?.changes ?? NONE,
    readings: all.flatMap((version) => version.readings),
  }));
}

/** Appends another version of a node and redirects the references that read it. */
function divide(text: string, { spans }: ValueLeaves, version: Version, out: Change[], added: Change[]): void {
  const [first] = version.readings;
  if (first === undefined) return;
  const start = spans.starts[first.leaf.node] ?? 0;
  const end = spans.ends[first.leaf.node] ?? 0;
  const number = spans.starts.length + added.length;
  const node = applied(text.slice(start, end), shifted(version.changes, -start));
  const references = new Map(version.readings.map(({ leaf }) => [leaf.reference?.start, leaf.reference]));
  for (const reference of references.values())
    if (reference) out.push({ start: reference.start, end: reference.end, with: String(number), type: null });
  const last = text.length - 1;
  const { type, rule } = version.changes[0] ?? { type: null };
  added.push({ start: last, end: last, with: `,${node}`, type, ...(rule === undefined ? {} : { rule }) });
}

/** The findings, for the counts; one change before them writes the whole text. */
function counted(changes: readonly Change[], { length }: string): Change[] {
  return changes.flatMap((change) =>
    change.type === null ? [] : [{ ...change, start: length, end: length, with: "" }],
  );
}
