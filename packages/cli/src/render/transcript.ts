import type { Envelope } from "@reenact/envelope/file";
import type { Paint } from "./painter.ts";
import { leakLines } from "./leak-lines.ts";
import type { ShownStep } from "../shown-step.ts";
import { messagesOf, parsed } from "../step-messages.ts";
import { count, duration, oneLine, safe } from "./terminal-text.ts";
import { redactedLine, tokenMarks } from "./token-marks.ts";

const WIDTH = 110;

export interface TranscriptContext {
  /** those that were set after it was sealed, too */
  flags: readonly string[];
  /** options with which a further command finds it, a blank ahead */
  place: string;
}

/** A run for reading: what was asked, what was answered, what each tool did. */
export function printTranscript(
  run: Envelope,
  steps: ShownStep[],
  paint: Paint,
  { flags, place }: TranscriptContext,
): string {
  const { manifest: m, header } = run;
  const lines: string[] = [];
  const mark = header.status === "ok" ? paint("green", "✓") : paint("red", "✗");
  lines.push(
    `${mark} run ${header.run.slice(0, 6)}  ${oneLine(m.name, 60)}  ${header.status}${m.error === null ? "" : `: ${oneLine(m.error.message, 70)}`}`,
  );
  const ended = m.ended === null ? null : Number((BigInt(m.ended) - BigInt(m.started)) / 1_000_000n);
  lines.push(
    `  ${[m.slots === 0 && steps.length > 0 ? count(steps.length, "span") : count(m.slots, "step"), ended === null ? "not ended" : duration(ended), m.models.map(safe).join(", "), run.foreign ? "" : redactedLine(m.redaction.counts), run.complete ? "complete" : "incomplete"].filter((p) => p !== "").join(" · ")}`,
  );
  for (const reason of run.incompleteReasons) lines.push(`  ! ${safe(reason)}`);
  for (const line of leakLines(run)) lines.push(`  ${paint("yellow", "!")} ${line}`);
  for (const flag of flags) lines.push(`  ${paint("yellow", "⚑")} ${oneLine(flag, WIDTH)}`);
  lines.push("");
  const marked = tokenMarks();
  const told = new Map<number, string>();
  for (const step of steps) lines.push(...stepLines(step, paint, marked, told));
  const named = `${header.run.slice(0, 6)}${place}`;
  const next = steps.length === 0 ? [] : [`reenact show ${named} --step <n>`];
  if (!run.foreign) next.push(`reenact replay ${named} -- <command>`);
  if (next.length > 0) lines.push("", `Next: ${next.join(" · ")}`);
  return `${lines.join("\n")}\n`;
}

/** Results and calls of one turn that are listed; `show --step` has all. */
const MOST_LINES = 12;

type Mark = (text: string) => string;

/** `before`: what the last model of this depth was told, which is said once. */
function stepLines(step: ShownStep, paint: Paint, marked: Mark, before: Map<number, string>): string[] {
  const depth = "  ".repeat(1 + step.depth);
  const attempt = step.attempt === 0 ? "" : ` (attempt ${step.attempt + 1})`;
  const facts = [modelOf(step), tokensLine(step), duration(step.durationMs)].filter((fact) => fact !== "");
  const head = `${depth}${String(step.step).padStart(3)} ${step.kind.padEnd(9)} ${titleOf(step)}${attempt}  ${facts.join("  ")}${fate(step, paint)}`;
  const inner = `${depth}      `;
  const line = (mark: string, text: string): string => `${inner}${mark} ${oneLine(marked(text), WIDTH - inner.length)}`;
  const lines = (mark: string, texts: readonly string[]): string[] => [
    ...texts.slice(0, MOST_LINES).map((text) => line(mark, text)),
    ...(texts.length > MOST_LINES ? [`${inner}${mark} … ${texts.length - MOST_LINES} more`] : []),
  ];
  const { system, asked, answered } = messagesOf(step);
  const isNew = system !== null && before.get(step.depth) !== system;
  if (system !== null) before.set(step.depth, system);
  return [head, ...(isNew ? [line("system:", system)] : []), ...lines("→", asked), ...lines("←", answered)];
}

/** The model that was asked, and the one that answered where that is another. */
function modelOf({ model }: ShownStep): string {
  const { asked, answered } = model ?? {};
  if (asked === undefined && answered === undefined) return "";
  const names = answered === undefined || answered === asked ? [asked] : [asked ?? "?", answered];
  return oneLine(names.join(" → "), 80);
}

function tokensLine({ tokens }: ShownStep): string {
  if (tokens === null) return "";
  const part = (n: number | null, what: string): string => (n === null || n === 0 ? "" : ` (${n} ${what})`);
  return [
    ...(tokens.input === null ? [] : [`${tokens.input} in${part(tokens.cached, "cached")}`]),
    ...(tokens.output === null ? [] : [`${tokens.output} out${part(tokens.reasoning, "reasoning")}`]),
  ].join(", ");
}

/** A span's name is the host alone, so that backends can group by it. */
function titleOf({ kind, name, record }: ShownStep): string {
  const request = kind === "HTTP" ? record?.exchange?.request : undefined;
  return oneLine(request === undefined ? name : `${request.method} ${request.url.replace(/^https?:\/\//, "")}`, 80);
}

function fate(step: ShownStep, paint: Paint): string {
  const { end, response } = step.record?.exchange ?? {};
  if (step.status === "error") return paint("red", `  ${oneLine(step.error ?? "error", 60)}`);
  // a client cancels a stream that it has read to its last event, too
  if (response !== undefined && (step.answer === "part" || end === "aborted")) {
    const how = end === "aborted" || end === "cancelled" ? `${end} before its end` : "not read to its end";
    return paint("yellow", `  HTTP ${response.status}, ${how}`);
  }
  if (end === "aborted" && response === undefined) return paint("yellow", "  aborted before it was answered");
  return step.status === "ok" || response !== undefined ? "" : paint("yellow", "  had not ended when the run did");
}

function ending({ settle, status, answer }: ShownStep): string {
  if (settle !== null) return `–${settle}`;
  if (answer === "whole") return "";
  return status === "open" ? "–open" : ", left by the program before its end";
}

/** One step whole. */
export function printStep(step: ShownStep): string {
  const { record } = step;
  const marked = tokenMarks();
  const { counts = {} } = record?.redacted ?? {};
  const lines = [
    `step ${step.step}  ${step.kind}  ${safe(step.name)}  ${step.status}${step.error === null ? "" : `: ${safe(step.error)}`}`,
    record === null
      ? `${duration(step.durationMs)}  no record: this is what its span says`
      : `slot ${safe(step.slot)}  attempt ${step.attempt + 1}  ${duration(step.durationMs)}  journal ${step.start}${ending(step)}`,
  ];
  const x = record?.exchange;
  if (x !== undefined)
    lines.push(
      `${safe(x.request.method)} ${safe(x.request.url)} → ${x.response === undefined ? "no answer" : `${x.response.status} ${safe(x.response.reason)}`} (${x.end})`,
    );
  const { model } = step;
  if (model?.asked !== undefined || model?.answered !== undefined)
    lines.push(`model asked ${safe(model.asked ?? "–")}, answered ${safe(model.answered ?? "–")}`);
  if (step.tokens !== null) lines.push(`tokens ${tokensLine(step)}`);
  if (step.answer === "part") lines.push("! the answer was not read to its end: what is below is what had come");
  for (const [title, text] of [
    ["input", step.input],
    ["output", step.output],
  ] as const)
    if (text !== null) lines.push("", `── ${title}`, safe(marked(pretty(text))));
  if (step.events !== null) {
    lines.push("", `── ${count(step.events.length, "event")} of a stream`);
    for (const { name, data } of step.events) lines.push(safe(marked(`${name === null ? "" : `${name}: `}${data}`)));
  }
  if (Object.keys(counts).length > 0) lines.push("", redactedLine(counts));
  if (record?.lossy !== undefined) lines.push("", ...record.lossy.map((l) => `! ${safe(l)}`));
  return `${lines.join("\n")}\n`;
}

function pretty(text: string): string {
  const value = parsed(text);
  return value === null ? text : JSON.stringify(value, null, 2);
}
