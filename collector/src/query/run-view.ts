import { beginOf } from "./begin-of.ts";
import type { ScannedSpan } from "@reenact/envelope";
import { itemsOf, outlineOf, type StepItem, type StepView } from "@reenact/view";
import { readSteps } from "./run-steps.ts";
import type { ApiItem, ViewStep } from "./view-schema.ts";

/** Characters of one text in the view of a whole run … */
const PREVIEW = 2_000;
/** … and in that of one step. Longer values are parts of the step. */
const LONG_PREVIEW = 64 * 1024;

interface Page {
  /** steps that are passed over */
  readonly after: number;
  readonly limit: number;
}

/** A run for reading: what it was asked and answered, the step to blame, and one page of its steps with their messages. */
export function runViewOf(
  run: { readonly run: string; readonly error: { readonly class: string; readonly message: string } | null },
  scanned: readonly ScannedSpan[],
  { after, limit }: Page,
) {
  const { lines, steps } = readSteps(run.run, scanned);
  const outline = outlineOf(steps, run.error);
  const some = steps.slice(after, after + limit);
  const last = after + some.length;
  const begin = (text: string | null) => (text === null ? null : beginOf(text, PREVIEW));
  return {
    question: begin(outline.question),
    answer: begin(outline.answer),
    cause: outline.cause,
    failed: steps.filter(({ status }) => status === "error").map(({ step }) => step),
    redacted: [...lines.values()].reduce((sum, { redactions }) => sum + redactions, 0),
    steps: some.flatMap((step): ViewStep[] => {
      const line = lines.get(step.id);
      if (line === undefined) return [];
      const { n: _, ...facts } = line;
      return [{ ...facts, step: step.step, depth: step.depth, answeredBy: step.answeredBy, ...shown(step, PREVIEW) }];
    }),
    total: steps.length,
    next: last < steps.length ? last : null,
  };
}

/** The messages of the step with this span id or number, each up to 64 KB; null: there is none. */
export function stepItemsOf(run: string, scanned: readonly ScannedSpan[], name: string) {
  const found = readSteps(run, scanned).steps.find(({ id, step }) => id === name || String(step) === name);
  return found ? shown(found, LONG_PREVIEW) : null;
}

function shown(step: StepView, longest: number): { input: ApiItem[]; output: ApiItem[] } {
  const { input, output } = itemsOf(step);
  const each = (items: readonly StepItem[]) =>
    items.map((item): ApiItem => ({ ...item, text: beginOf(item.text, longest), length: item.text.length }));
  return { input: each(input), output: each(output) };
}
