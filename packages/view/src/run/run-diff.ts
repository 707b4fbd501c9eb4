import type { Envelope } from "@reenact/envelope/file";
import { type StepChange, stepChanges } from "../step/step-changes.ts";
import { type StepView, stepsOf } from "../step/step-view.ts";
import { runRow, type RunRow } from "./run-row.ts";

/** One step of two runs, or a step that only one of them has. `reenact diff --json` prints it; fields are only ever added. */
export interface DiffRow {
  /** "moved": the same step, at another place among the others */
  readonly status: "same" | "changed" | "moved" | "added" | "removed";
  /** numbers of the step in the two runs; null: it is not there */
  readonly before: number | null;
  readonly after: number | null;
  readonly kind: string;
  readonly name: string;
  readonly changes: readonly StepChange[];
}

/** The steps of two runs, side by side. */
export interface StepsDiff {
  /** in the order of the later run, what it lacks where it stood before */
  readonly rows: readonly DiffRow[];
  /** position in `rows` of the first that is not the same; null: there is none */
  readonly first: number | null;
  /** the first difference in words; null: there is none */
  readonly summary: string | null;
}

export interface RunDiff extends StepsDiff {
  readonly before: RunRow;
  readonly after: RunRow;
}

/** Compares two runs step by step. */
export function diffRuns(before: Envelope, after: Envelope): RunDiff {
  return { before: runRow(before), after: runRow(after), ...compareSteps(stepsOf(before), stepsOf(after)) };
}

/** Aligns the steps of two runs, as `diffSteps`, and says which difference is the first. */
export function compareSteps(before: readonly StepView[], after: readonly StepView[]): StepsDiff {
  const rows = diffSteps(before, after);
  const first = rows.findIndex(({ status }) => status !== "same");
  const row = rows[first];
  return row ? { rows, first, summary: inWords(row) } : { rows, first: null, summary: null };
}

function inWords({ status, before, after, name, changes }: DiffRow): string {
  const step = `step ${after ?? before} ${name}`;
  switch (status) {
    case "added":
      return `${step} is only in the second run`;
    case "removed":
      return `${step} is only in the first run`;
    case "moved":
      return `${step} was step ${before}`;
    case "same":
      return `${step} is the same`;
    case "changed": {
      const [change] = changes;
      return `${step} has another ${change?.part ?? ""}${change?.pointer ? ` at ${change.pointer}` : ""}`;
    }
  }
}

interface Pair {
  readonly before: StepView;
  readonly after: StepView;
  readonly moved: boolean;
}

/**
 * Aligns steps by their place (path, operation, occurrence and attempt) first; between those, steps of one kind and name in their
 * order.
 */
export function diffSteps(before: readonly StepView[], after: readonly StepView[]): DiffRow[] {
  const pairs = pairsOf(before, after);
  const rows: DiffRow[] = [];
  const paired = new Map(pairs.map((pair) => [pair.before, pair]));
  const byAfter = new Map(pairs.map((pair) => [pair.after, pair]));
  let next = 0;
  const removeUpTo = (end: number): void => {
    for (; next < end; next++) {
      const step = before[next] as StepView;
      if (!paired.has(step)) rows.push(row("removed", step, null, []));
    }
  };
  for (const step of after) {
    const pair = byAfter.get(step);
    if (pair === undefined) {
      rows.push(row("added", null, step, []));
      continue;
    }
    if (!pair.moved) removeUpTo(before.indexOf(pair.before, next));
    const changes = stepChanges(pair.before, step);
    rows.push(row(changes.length > 0 ? "changed" : pair.moved ? "moved" : "same", pair.before, step, changes));
  }
  removeUpTo(before.length);
  return rows;
}

function row(
  status: DiffRow["status"],
  before: StepView | null,
  after: StepView | null,
  changes: readonly StepChange[],
): DiffRow {
  const { kind, name } = (after ?? before) as StepView;
  return { status, before: before?.step ?? null, after: after?.step ?? null, kind, name, changes };
}

function pairsOf(before: readonly StepView[], after: readonly StepView[]): Pair[] {
  const pairs = pairsBy(before, after, placeOf);
  const paired = new Set(pairs.flatMap((pair) => [pair.before, pair.after]));
  const rest = pairsBy(
    before.filter((step) => !paired.has(step)),
    after.filter((step) => !paired.has(step)),
    ({ kind, name }) => `${kind} ${name}`,
  );
  return withMoves([...pairs, ...rest], before, after);
}

/** A step without a record has no place. */
const placeOf = ({ slot, attempt }: StepView): string | null => (slot === "" ? null : `${slot} ${attempt}`);

/** Pairs of equal keys, the first of each list with the first of the other. */
function pairsBy(
  before: readonly StepView[],
  after: readonly StepView[],
  keyOf: (step: StepView) => string | null,
): { before: StepView; after: StepView }[] {
  const waiting = Map.groupBy(before, keyOf);
  return after.flatMap((step) => {
    const key = keyOf(step);
    const found = key === null ? undefined : waiting.get(key)?.shift();
    return found === undefined ? [] : [{ before: found, after: step }];
  });
}

/** Marks the pairs outside of the longest row of pairs that stand in the same order in both lists. */
function withMoves(
  pairs: readonly { before: StepView; after: StepView }[],
  before: readonly StepView[],
  after: readonly StepView[],
): Pair[] {
  const was = new Map(before.map((step, at) => [step, at]));
  const is = new Map(after.map((step, at) => [step, at]));
  const at = (places: Map<StepView, number>, step: StepView): number => places.get(step) ?? 0;
  const sorted = pairs.toSorted((a, b) => at(is, a.after) - at(is, b.after));
  const kept = new Set(longestRising(sorted.map((pair) => at(was, pair.before))));
  return sorted.map((pair, index) => ({ ...pair, moved: !kept.has(index) }));
}

/** Positions of a longest rising subsequence of different numbers. */
export function longestRising(numbers: readonly number[]): number[] {
  /** position of the smallest number that ends a rising row of this length */
  const ends: number[] = [];
  const previous = Array.from(numbers, () => -1);
  numbers.forEach((number, at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  });
  const row: number[] = [];
  for (let at = ends.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) row.push(at);
  return row.toReversed();
}
