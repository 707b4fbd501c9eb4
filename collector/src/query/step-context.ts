import type { ScannedSpan } from "@reenact/envelope";
import { type AlignedText, contextOf, type ExplainedCall, explainStep, stepsOf } from "@reenact/view";
import { beginOf } from "./begin-of.ts";
import { readSteps } from "./run-steps.ts";
import type { ContextAnswer } from "./view-schema.ts";

/** Characters that are given of one text. The API gives whole texts as parts of the step. */
const PREVIEW = 4_000;
/** Characters that are given of a changed text before the first one that differs. */
const LEAD = 200;
/** Characters that are given of one value in the arguments of a call. */
const LONGEST_VALUE = 500;
/** For each value, so many texts that hold it. */
const MOST_SOURCES = 10;

type Texts = NonNullable<ContextAnswer["context"]>["texts"];

/**
 * What the model had read at the step with this span id or number, and where the values in the arguments of its calls came from. For the
 * step of a tool: what the model had read at the call that asked for the tool. null: there is no such step.
 */
export function stepContextOf(
  run: string,
  scanned: readonly ScannedSpan[],
  name: string,
): Pick<ContextAnswer, "step" | "context" | "calls"> | null {
  const { read, lines } = readSteps(run, scanned);
  const steps = stepsOf(read);
  const step = steps.find((each) => each.id === name || String(each.step) === name);
  if (step === undefined) return null;
  const calls = explainStep(read, step.step);
  const model = step.kind === "LLM" ? step : steps.find((each) => each.step === calls[0]?.askedBy);
  const context = model === undefined ? null : contextOf(steps, model.step);
  return {
    step: step.step,
    context: context && {
      ...context,
      model: lines.get(model!.id)?.model ?? null,
      tokens: model!.tokens?.input ?? null,
      texts: context.texts.map(textOf),
    },
    calls: calls.map(callOf),
  };
}

function textOf({ status, read: { text, ...origin }, was }: AlignedText): Texts[number] {
  if (was === null) return { status, ...origin, is: stretch(text, 0), was: null };
  const from = Math.max(0, firstDifference(was, text) - LEAD);
  return { status, ...origin, is: stretch(text, from), was: stretch(was, from) };
}

function firstDifference(before: string, after: string): number {
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at++;
  return at;
}

/** Begins and ends with no half of a surrogate pair. */
const stretch = (text: string, from: number): Texts[number]["is"] => {
  const start = /[\uDC00-\uDFFF]/.test(text[from] ?? "") && from > 0 ? from + 1 : from;
  return { text: beginOf(text.slice(start), PREVIEW), from: start, length: text.length };
};

function callOf({ values, ...call }: ExplainedCall): ContextAnswer["calls"][number] {
  return {
    ...call,
    values: values.map(({ value, sources, ...rest }) => ({
      ...rest,
      value: typeof value === "string" ? beginOf(value, LONGEST_VALUE) : value,
      sources: sources.slice(0, MOST_SOURCES),
    })),
  };
}
