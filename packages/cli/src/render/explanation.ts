import {
  count,
  type ExplainedCall,
  type ExplainedValue,
  oneLine,
  safe,
  tokenMarks,
  type ValueSource,
} from "@reenact/view";
import type { Paint } from "./painter.ts";

export interface ExplanationContext {
  /** the run as a further command names it, with the options for its place */
  readonly named: string;
  /** steps that were left out */
  readonly more: number;
}

const WIDTH = 60;
/** Further texts that hold a value, after the first. */
const MOST_SOURCES = 3;

/** Each call with its values, and for each value what had held it before. */
export function printExplanation(calls: readonly ExplainedCall[], paint: Paint, context: ExplanationContext): string {
  const { named, more } = context;
  const marked = tokenMarks();
  const lines = [
    ...(calls.length === 0 ? ["no call of a tool is recorded"] : []),
    ...calls.flatMap((call) => callLines(call, paint, marked)),
    ...(more === 0 ? [] : [`… ${count(more, "further step")}: reenact explain ${named} <step>`]),
    "",
    `Next: reenact show ${named} --step ${calls.at(-1)?.askedBy ?? calls.at(-1)?.step ?? "<n>"}`,
  ];
  return `${lines.join("\n")}\n`;
}

function callLines(call: ExplainedCall, paint: Paint, marked: (text: string) => string): string[] {
  const who = call.askedBy === null ? "called by the program" : `asked for by the model in step ${call.askedBy}`;
  return [
    `step ${call.step}  ${safe(call.kind)} ${oneLine(call.name, WIDTH)}  ${paint("dim", who)}`,
    ...(call.values.length === 0 ? ["    no arguments"] : []),
    ...call.values.map((value) => valueLine(value, call, paint, marked)),
    ...(call.more === 0 ? [] : [`    … ${count(call.more, "further value")}`]),
  ];
}

function valueLine(each: ExplainedValue, call: ExplainedCall, paint: Paint, marked: (text: string) => string): string {
  const text = marked(oneLine(JSON.stringify(each.value), WIDTH));
  const head = `    ${each.pointer === "" ? "" : `${safe(each.pointer)}  `}${text}  ← `;
  const [origin, ...others] = each.sources;
  if (origin === undefined) return `${head}${paint("yellow", nowhere(each, call))}`;
  const places = [...new Set(others.map(shortSource))].filter((place) => place !== shortSource(origin));
  const shown = places.slice(0, MOST_SOURCES);
  const rest = places.length > shown.length ? ` and ${places.length - shown.length} more` : "";
  const also = shown.length === 0 ? "" : paint("dim", `; also ${shown.join(", ")}${rest}`);
  const chance =
    each.short && origin.pointer === null ? paint("dim", " (a short value: it may stand there by chance)") : "";
  return `${head}${marked(longSource(origin))}${chance}${also}`;
}

function nowhere({ by, value }: ExplainedValue, { askedBy }: ExplainedCall): string {
  if (by === "program") return "no earlier step holds it: the program has it or computed it";
  return typeof value === "boolean" || value === null
    ? `chosen by the model in step ${askedBy}`
    : `nothing that the model had read holds it: it made this up in step ${askedBy}`;
}

function shortSource({ kind, step, name, pointer }: ValueSource): string {
  const of = step === null ? "" : ` of step ${step}`;
  const called = name === "" ? "" : ` ${oneLine(name, WIDTH)}`;
  return `${kind}${of}${called}${pointer === null || pointer === "" ? "" : ` at ${safe(pointer)}`}`;
}

function longSource(source: ValueSource): string {
  const form = { value: "", "other form": " in another form", part: " in part" }[source.match];
  const quote = source.pointer !== null && source.match === "value" ? "" : `: “${source.excerpt}”`;
  return `${shortSource(source)}${form}${quote}`;
}
