import type { Envelope } from "@reenact/envelope/file";
import type { Paint } from "./painter.ts";
import { leakLines } from "./leak-lines.ts";
import type { ShownStep } from "./shown-step.ts";
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
  for (const step of steps) lines.push(...stepLines(step, paint, marked));
  const named = `${header.run.slice(0, 6)}${place}`;
  const next = steps.length === 0 ? [] : [`reenact show ${named} --step <n>`];
  if (!run.foreign) next.push(`reenact replay ${named} -- <command>`);
  if (next.length > 0) lines.push("", `Next: ${next.join(" · ")}`);
  return `${lines.join("\n")}\n`;
}

function stepLines(step: ShownStep, paint: Paint, marked: (text: string) => string): string[] {
  const depth = "  ".repeat(1 + step.depth);
  const attempt = step.attempt === 0 ? "" : ` (attempt ${step.attempt + 1})`;
  const head = `${depth}${String(step.step).padStart(3)} ${step.kind.padEnd(9)} ${titleOf(step)}${attempt}  ${duration(step.durationMs)}${fate(step, paint)}`;
  const lines = [head];
  const inner = `${depth}      `;
  const asked = lastAsked(step);
  if (asked !== null) lines.push(`${inner}→ ${oneLine(marked(asked), WIDTH - inner.length)}`);
  const answered = step.output === null ? null : answerText(step);
  if (answered !== null) lines.push(`${inner}← ${oneLine(marked(answered), WIDTH - inner.length)}`);
  return lines;
}

/** A span's name is the host alone, so that backends can group by it. */
function titleOf({ kind, name, record }: ShownStep): string {
  const request = kind === "HTTP" ? record?.exchange?.request : undefined;
  return oneLine(request === undefined ? name : `${request.method} ${request.url.replace(/^https?:\/\//, "")}`, 80);
}

function fate(step: ShownStep, paint: Paint): string {
  const { end, response } = step.record?.exchange ?? {};
  const unread = response !== undefined && !step.output && (end === "open" || end === "cancelled");
  switch (step.status) {
    case "ok":
    case "open":
      if (unread) return paint("yellow", `  HTTP ${response.status}, not read to its end`);
      if (end === "aborted") return paint("yellow", "  aborted before it was answered");
      return step.status === "ok" ? "" : paint("yellow", "  had not ended when the run did");
    case "error":
      return paint("red", `  ${oneLine(step.error ?? "error", 60)}`);
  }
}

/** The last message of a request, or the arguments of a function. */
function lastAsked(step: ShownStep): string | null {
  if (step.input === null) return null;
  const body = parsed(step.input);
  if (typeof body !== "object" || body === null) return step.input;
  const { messages, input } = body as { messages?: unknown; input?: unknown };
  const list = Array.isArray(messages) ? messages : Array.isArray(input) ? input : null;
  if (list !== null && (step.kind === "EMBEDDING" || list.every((each) => typeof each === "string")))
    return list.map(contentText).join(" | ");
  if (list !== null) return contentText(list.at(-1));
  return typeof input === "string" ? input : step.input;
}

function answerText(step: ShownStep): string | null {
  const body = parsed(step.output ?? "");
  if (typeof body !== "object" || body === null) return step.output;
  const { choices, messages, content, output, data } = body as {
    choices?: { message?: unknown }[];
    messages?: unknown;
    data?: unknown;
    content?: unknown;
    output?: unknown;
  };
  if (Array.isArray(choices)) return choices.map((c) => contentText(c.message)).join(" | ");
  if (Array.isArray(messages) && step.record === null) return messages.map(contentText).join(" | ");
  if (step.kind === "EMBEDDING" && Array.isArray(data)) return count(data.length, "vector");
  if (Array.isArray(content)) return content.map(contentText).join(" ");
  if (Array.isArray(output)) return output.map(contentText).join(" ");
  return step.output;
}

function contentText(message: unknown): string {
  if (typeof message === "string") return message;
  if (typeof message !== "object" || message === null) return JSON.stringify(message) ?? "";
  const { content, text, tool_calls: calls, name, input, arguments: args } = message as Record<string, unknown>;
  const parts: string[] = [];
  if (typeof text === "string") parts.push(text);
  if (typeof content === "string") parts.push(content);
  else if (Array.isArray(content)) parts.push(...content.map(contentText));
  if (Array.isArray(calls))
    for (const c of calls as { function?: { name?: string; arguments?: string } }[])
      parts.push(`${c.function?.name ?? "?"}(${c.function?.arguments ?? ""})`);
  if (typeof name === "string" && (input !== undefined || args !== undefined))
    parts.push(`${name}(${typeof args === "string" ? args : JSON.stringify(input)})`);
  return parts.length === 0 ? JSON.stringify(message) : parts.join(" ");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function ending({ settle, status }: ShownStep): string {
  if (settle !== null) return `–${settle}`;
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
  if (step.model?.answered !== undefined)
    lines.push(`model asked ${safe(step.model.asked ?? "–")}, answered ${safe(step.model.answered)}`);
  for (const [title, text] of [
    ["input", step.input],
    ["output", step.output],
  ] as const)
    if (text !== null) lines.push("", `── ${title}`, safe(marked(pretty(text))));
  if (Object.keys(counts).length > 0) lines.push("", redactedLine(counts));
  if (record?.lossy !== undefined) lines.push("", ...record.lossy.map((l) => `! ${safe(l)}`));
  return `${lines.join("\n")}\n`;
}

function pretty(text: string): string {
  const value = parsed(text);
  return value === null ? text : JSON.stringify(value, null, 2);
}
