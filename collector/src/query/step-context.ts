import type { ScannedSpan } from "@reenact/envelope";
import { type AlignedText, contextOf, type ExplainedCall, explainStep } from "@reenact/view";
import { beginOf } from "./begin-of.ts";
import { readSteps } from "./run-steps.ts";
import { differingStretches, stretchOf } from "./stretch.ts";
import type { ContextAnswer } from "./view-schema.ts";

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
  const { read, lines, steps } = readSteps(run, scanned);
  const step = steps.find((each) => each.id === name || String(each.step) === name);
  if (step === undefined) return null;
  const calls = explainStep(read, step.step, steps);
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
  if (was === null) return { status, ...origin, is: stretchOf(text), was: null };
  return { status, ...origin, ...differingStretches(was, text) };
}

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
