import type { OtlpSpan } from "@reenact/envelope";
import { spanKind, spanTexts } from "@reenact/envelope/file";
import { itemsOf, type StepItem } from "@reenact/view";

const LINE = 300;
/** Longer requests are not read for one line, UTF-16 code units. */
const LARGEST = 4 * 1024 * 1024;

/** What a run was asked first and what the model answered last, each as one line of at most 300 characters. */
export function firstAndLastLine(spans: readonly OtlpSpan[]): { question: string | null; answer: string | null } {
  const calls = spans.filter((span) => spanKind(span) === "LLM");
  const first = calls.reduce<OtlpSpan | null>((a, b) => (a && a.startUnixNano <= b.startUnixNano ? a : b), null);
  const last = calls
    .filter(({ status }) => status.code !== 2)
    .reduce<OtlpSpan | null>((a, b) => (a && a.startUnixNano > b.startUnixNano ? a : b), null);
  return {
    question: lineOf(textsOf(first, "input").find(({ is, role }) => is === "text" && role === "user")),
    answer: lineOf(textsOf(last, "output").findLast(({ is, role }) => is === "text" && role === "assistant")),
  };
}

function textsOf(span: OtlpSpan | null, side: "input" | "output"): readonly StepItem[] {
  const text = span && spanTexts(span)[side];
  if (text === null || text.length > LARGEST) return [];
  return itemsOf({ kind: "LLM", input: null, output: null, [side]: text })[side];
}

function lineOf(item: StepItem | undefined): string | null {
  if (item === undefined) return null;
  const line = item.text
    .slice(0, 4 * LINE)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, LINE);
  return line === "" ? null : line.toWellFormed();
}
