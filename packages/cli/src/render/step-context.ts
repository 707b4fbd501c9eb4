import { type AlignedText, count, oneLine, safe, type StepContext, tokenMarks } from "@reenact/view";
import type { Paint } from "./painter.ts";
import { valueChange } from "./run-diff.ts";

const MARKS: Readonly<Record<AlignedText["status"], readonly [Parameters<Paint>[0], string]>> = {
  kept: ["dim", "="],
  added: ["green", "+"],
  removed: ["red", "-"],
  changed: ["yellow", "~"],
};
const WIDTH = 110;
/** Columns of the bar of a text as long as all of the request. */
const BAR = 20;

/** What a model read at a call, against the call before it: each text with its share of the whole, and what became of it. */
export function printContext(context: StepContext, paint: Paint, named: string): string {
  const { step, before, texts, length, lengthBefore, continues } = context;
  const more = length - (lengthBefore ?? 0);
  const against =
    before === null
      ? "the first call of its conversation"
      : `${Math.abs(more)} ${more < 0 ? "fewer" : "more"} than at step ${before}`;
  const marked = tokenMarks();
  return [
    `step ${step} read ${count(texts.filter(({ status }) => status !== "removed").length, "text")}, ${length} characters: ${against}`,
    ...(continues ? ["the provider adds messages that it keeps, which the request does not hold"] : []),
    "",
    ...texts.flatMap((text) => textLines(text, { length, isFirst: before === null, paint, marked })),
    "",
    `Next: reenact show ${named} --step ${step} · reenact explain ${named} ${step}`,
  ]
    .map((line) => `${line}\n`)
    .join("");
}

interface Around {
  readonly length: number;
  /** all is new, which need not be said */
  readonly isFirst: boolean;
  readonly paint: Paint;
  readonly marked: (text: string) => string;
}

function textLines({ status, read, was }: AlignedText, { length, isFirst, paint, marked }: Around): string[] {
  const { kind, name, text, step } = read;
  const [colour, mark] = isFirst ? MARKS.kept : MARKS[status];
  const share = status === "removed" || length === 0 ? 0 : text.length / length;
  const bar = "█".repeat(Math.max(share > 0 ? 1 : 0, Math.round(share * BAR))).padEnd(BAR);
  const from = step === null ? "" : ` of step ${step}`;
  const what = `${kind}${name === "" ? "" : ` ${safe(name)}`}${from}`;
  return [
    `${paint(colour, isFirst ? " " : mark)} ${bar} ${String(text.length).padStart(8)}  ${oneLine(what, 60)}`,
    ...(status === "kept" && !isFirst
      ? []
      : [`    ${was === null ? oneLine(marked(text), WIDTH) : valueChange(was, text, paint)}`]),
  ];
}
