import type { ScannedSpan } from "@reenact/envelope";
import { compareSteps, type DiffRow } from "@reenact/view";
import type { z } from "zod";
import type { diffAnswer } from "./diff-schema.ts";
import { readSteps } from "./run-steps.ts";
import { differingStretches, stretchOf } from "./stretch.ts";

type Diff = z.infer<typeof diffAnswer>;
type Change = Diff["rows"][number]["changes"][number];

const MOST_STEPS = 20_000;
/** Characters of each side of a change … */
const PREVIEW = 2_000;
/** … and, once all that are given come to so many, of each one behind them. */
const MOST_CHARACTERS = 4_000_000;
const SHORT_PREVIEW = 60;

interface Side {
  readonly run: string;
  readonly spans: readonly ScannedSpan[];
}

/** Two runs step by step, as the command line compares them; `complete` false: a run has more steps than are compared. */
export function diffAnswerOf(a: Side, b: Side): Pick<Diff, "rows" | "first" | "summary" | "complete"> {
  const [before, after] = [stepsIn(a), stepsIn(b)];
  const { rows, ...found } = compareSteps(before.slice(0, MOST_STEPS), after.slice(0, MOST_STEPS));
  let given = 0;
  const changesOf = ({ changes }: DiffRow) =>
    changes.map(({ part, pointer, before, after }): Change => {
      const change = { part, pointer, ...valuesOf(before, after, given < MOST_CHARACTERS ? PREVIEW : SHORT_PREVIEW) };
      given += (change.before?.text.length ?? 0) + (change.after?.text.length ?? 0);
      return change;
    });
  return {
    ...found,
    rows: rows.map((row) => ({ ...row, changes: changesOf(row) })),
    complete: before.length <= MOST_STEPS && after.length <= MOST_STEPS,
  };
}

const stepsIn = ({ run, spans }: Side) => readSteps(run, spans).steps;

/** Both values as text; two texts as they are, others as JSON. */
function valuesOf(before: unknown, after: unknown, longest: number): Pick<Change, "before" | "after"> {
  const areTexts = [before, after].every((value) => typeof value === "string" || isNothing(value));
  const textOf = (value: unknown) =>
    areTexts && typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  if (isNothing(before) || isNothing(after)) {
    const alone = (value: unknown) => (isNothing(value) ? null : stretchOf(textOf(value), 0, longest));
    return { before: alone(before), after: alone(after) };
  }
  const { was, is } = differingStretches(textOf(before), textOf(after), longest);
  return { before: was, after: is };
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;
