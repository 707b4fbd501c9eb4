import {
  count,
  duration,
  messagesOf,
  oneLine,
  redactedLine,
  type RunView,
  safe,
  type StepView,
  tokenMarks,
} from "@reenact/view";
import { type DecisionNote, decisionNotes } from "./decision-notes.ts";
import type { Paint } from "./painter.ts";
import { statusMark, verdictOf } from "./run-line.ts";

const WIDTH = 110;

export interface TranscriptContext {
  /** the run's id, as a further command takes it */
  id: string;
  /** including those that were set after the run was sealed */
  flags: readonly string[];
  /** the run as a further command names it, with the options for its place */
  named: string;
}

/** The transcript of a run: a header, then each step with its messages, tool calls and results. */
export function printTranscript(run: RunView, paint: Paint, { id, flags, named }: TranscriptContext): string {
  const { steps } = run;
  const mark = paint(...statusMark(run.status));
  const error = run.error === null ? "" : `: ${oneLine(run.error, 70)}`;
  const facts = [
    run.slots === 0 && steps.length > 0 ? count(steps.length, "span") : count(run.slots, "step"),
    run.durationMs === null ? "not ended" : duration(run.durationMs),
    run.models.map(safe).join(", "),
    run.foreign ? "" : redactedLine(run.redacted),
    run.complete ? "complete" : "incomplete",
  ];
  const warning = paint("yellow", "!");
  const marked = tokenMarks();
  const prompts = new Map<number, string>();
  const notes = decisionNotes(steps);
  const next = [
    ...(steps.length === 0 ? [] : [`reenact show ${named} --step <n>`]),
    ...(run.foreign ? [] : [`reenact replay ${named} -- <command>`]),
  ];
  const lines = [
    `${mark} run ${id}  ${oneLine(run.name, 60)}  ${run.status}${error}`,
    `  ${facts.filter((fact) => fact !== "").join(" · ")}`,
    ...replayLines(run, paint),
    ...(run.request === null ? [] : [`  ${oneLine(marked(run.request), WIDTH)}`]),
    ...run.incompleteReasons.map((reason) => `  ! ${safe(reason)}`),
    ...run.unrecorded.map((line) => `  ${warning} ${line}`),
    ...flags.map((flag) => `  ${paint("yellow", "⚑")} ${oneLine(flag, WIDTH)}`),
    "",
    ...steps.flatMap((step) => stepLines(step, paint, { marked, prompts, note: notes.get(step.step) })),
    ...(next.length === 0 ? [] : ["", `Next: ${next.join(" · ")}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function replayLines({ replayOf, replay }: RunView, paint: Paint): string[] {
  if (replayOf === null) return [];
  const cause = replay?.cause ? `: ${oneLine(replay.cause, WIDTH)}` : "";
  return [`  ${paint("yellow", "↻")} replay of ${safe(replayOf)}${verdictOf({ replay })}${cause}`];
}

/** Results and calls of one turn that are listed; `show --step` prints all of them. */
const MOST_LINES = 12;

type Mark = (text: string) => string;

interface StepContext {
  readonly marked: Mark;
  /** the last system prompt by depth; an unchanged one is not printed again */
  readonly prompts: Map<number, string>;
  readonly note: DecisionNote | undefined;
}

function stepLines(step: StepView, paint: Paint, { marked, prompts, note }: StepContext): string[] {
  const depth = "  ".repeat(1 + step.depth);
  const attempt = step.attempt === 0 ? "" : ` (attempt ${step.attempt + 1})`;
  const said = note?.isOther === true ? paint("yellow", note.fact) : (note?.fact ?? "");
  const facts = [modelOf(step), tokensLine(step), duration(step.durationMs), step.answeredBy ?? "", said].filter(
    (fact) => fact !== "",
  );
  const head = `${depth}${String(step.step).padStart(3)} ${step.kind.padEnd(9)} ${titleOf(step)}${attempt}  ${facts.join("  ")}${endingNote(step, paint)}`;
  const inner = `${depth}      `;
  const line = (mark: string, text: string): string => `${inner}${mark} ${oneLine(marked(text), WIDTH - inner.length)}`;
  const lines = (mark: string, texts: readonly string[]): string[] => [
    ...texts.slice(0, MOST_LINES).map((text) => line(mark, text)),
    ...(texts.length > MOST_LINES ? [`${inner}${mark} … ${texts.length - MOST_LINES} more`] : []),
  ];
  const { system, input, output } = messagesOf(step);
  const isNew = system !== null && prompts.get(step.depth) !== system;
  if (system !== null) prompts.set(step.depth, system);
  return [head, ...(isNew ? [line("system:", system)] : []), ...lines("→", input), ...lines("←", output)];
}

/** The requested model, and the one that answered if it differs. Spans of others may have it in their names: `chat gpt-5`. */
function modelOf(step: StepView): string {
  const { asked, answered } = step.model ?? {};
  if (asked === undefined && answered === undefined) return "";
  const isOne = asked === undefined || answered === undefined || asked === answered;
  if (
    isOne &&
    titleOf(step)
      .split(" ")
      .includes(asked ?? answered ?? "")
  )
    return "";
  const names = answered === undefined || answered === asked ? [asked] : [asked ?? "?", answered];
  return oneLine(names.join(" → "), 80);
}

function tokensLine({ tokens }: StepView): string {
  if (tokens === null) return "";
  const part = (n: number | null, what: string): string => (n === null || n === 0 ? "" : ` (${n} ${what})`);
  return [
    ...(tokens.input === null ? [] : [`${tokens.input} in${part(tokens.cached, "cached")}`]),
    ...(tokens.output === null ? [] : [`${tokens.output} out${part(tokens.reasoning, "reasoning")}`]),
  ].join(", ");
}

/** The name of an HTTP span holds the host only, so that backends can group by it; here the whole URL is printed. */
function titleOf({ kind, name, record }: StepView): string {
  const request = kind === "HTTP" ? record?.exchange?.request : undefined;
  return oneLine(request === undefined ? name : `${request.method} ${request.url.replace(/^https?:\/\//, "")}`, 80);
}

function endingNote(step: StepView, paint: Paint): string {
  const { end, response } = step.record?.exchange ?? {};
  if (step.status === "error") return paint("red", `  ${oneLine(step.error ?? "error", 60)}`);
  // a client may also cancel a stream after its last event
  if (response !== undefined && (step.answer === "part" || end === "aborted")) {
    const how = end === "aborted" || end === "cancelled" ? `${end} before its end` : "not read to its end";
    return paint("yellow", `  HTTP ${response.status}, ${how}`);
  }
  if (end === "aborted" && response === undefined) return paint("yellow", "  aborted before it was answered");
  return step.status === "ok" || response !== undefined ? "" : paint("yellow", "  had not ended when the run did");
}

function ending({ settle, status, answer }: StepView): string {
  if (settle !== null) return `–${settle}`;
  if (answer === "whole") return "";
  return status === "open" ? "–open" : ", left by the program before its end";
}

/** All details of one step. */
export function printStep(step: StepView): string {
  const { record } = step;
  const marked = tokenMarks();
  const { counts = {} } = record?.redacted ?? {};
  const lines = [
    ...headLines(step),
    ...textLines("input", step.input, marked),
    ...textLines("output", step.output, marked),
    ...eventLines(step, marked),
    ...(Object.keys(counts).length > 0 ? ["", redactedLine(counts)] : []),
    ...(record?.lossy === undefined ? [] : ["", ...record.lossy.map((each) => `! ${safe(each)}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

function headLines(step: StepView): string[] {
  const { record, model } = step;
  const error = step.error === null ? "" : `: ${safe(step.error)}`;
  const took = duration(step.durationMs);
  const isNamed = model?.asked !== undefined || model?.answered !== undefined;
  return [
    `step ${step.step}  ${step.kind}  ${safe(step.name)}  ${step.status}${error}`,
    record === null
      ? `${took}  no record; read from its span`
      : `slot ${safe(step.slot)}  attempt ${step.attempt + 1}  ${took}  journal ${step.start}${ending(step)}`,
    ...exchangeLine(step),
    ...(isNamed ? [`model asked ${safe(model.asked ?? "–")}, answered ${safe(model.answered ?? "–")}`] : []),
    ...(step.tokens === null ? [] : [`tokens ${tokensLine(step)}`]),
    ...(step.answer === "part" ? ["! the response was not read to its end; the part below had arrived"] : []),
  ];
}

function exchangeLine({ record }: StepView): string[] {
  const { request, response, end } = record?.exchange ?? {};
  if (request === undefined) return [];
  const answer = response === undefined ? "no answer" : `${response.status} ${safe(response.reason)}`;
  return [`${safe(request.method)} ${safe(request.url)} → ${answer} (${end})`];
}

function textLines(title: string, text: string | null, marked: Mark): string[] {
  return text === null ? [] : ["", `── ${title}`, safe(marked(pretty(text)))];
}

function eventLines({ events }: StepView, marked: Mark): string[] {
  if (events === null) return [];
  const line = ({ name, data }: (typeof events)[number]): string =>
    safe(marked(`${name === null ? "" : `${name}: `}${data}`));
  return ["", `── ${count(events.length, "event")} of a stream`, ...events.map(line)];
}

/** Indents JSON; any other text is returned as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
