import { ATTR, endTime, type OtlpSpan, type StepRecord } from "@reenact/envelope";
import { hasStreamEnd, type StreamEvent, streamEvents } from "./stream-events.ts";
import { childOutput } from "./child-output.ts";
import { type Envelope, spanKind, spanModel, spanTexts, spanTokens, spanTool } from "@reenact/envelope/file";

/** One step of a run: an attempt at a model call, a tool call, a request, … `show --json` prints it; fields are only ever added. */
export interface StepView {
  /** number of the step in the run, from 1, in the order of start */
  step: number;
  /** id of its span, 16 hex digits */
  id: string;
  /** path, operation and occurrence; empty for a span without a record */
  slot: string;
  /** from 0 */
  attempt: number;
  /** LLM, TOOL, HTTP, …; empty where the span names none */
  kind: string;
  name: string;
  /** "open": not settled when the run ended */
  status: "ok" | "error" | "open";
  error: string | null;
  /** position of the start in the journal */
  start: number;
  /** position of the settlement in the journal; null: not settled */
  settle: number | null;
  /** 0: it has not ended, or ended before it started by a clock that was set back */
  durationMs: number;
  model: StepRecord["model"] | null;
  /** as counted by the provider; null: not reported */
  tokens: StepTokens | null;
  input: string | null;
  output: string | null;
  /** events of a streamed response that is not a model's output; null: none */
  events: StreamEvent[] | null;
  /** how much of the response was read: "part" if it was aborted or cancelled before its end; null: no response */
  answer: "whole" | "part" | null;
  /**
   * of a replay that went on beyond its record, who answered: "recorded", "live", "edited" (live, with a request that an option changed),
   * "run" (a body with inner steps) or "refused"; null: of any other run
   */
  answeredBy: string | null;
  /** number of tools and agents that enclose the step */
  depth: number;
  /** null for a span without a record, such as one of another instrumentation */
  record: StepRecord | null;
}

export interface StepTokens {
  input: number | null;
  output: number | null;
  /** part of `input` that was read from the cache */
  cached: number | null;
  /** part of `output` that was spent on reasoning */
  reasoning: number | null;
}

/**
 * The steps of a run, in the order of start. A run without records (made by another instrumentation, or recorded without
 * them) is read from the attributes of its spans.
 */
export function stepsOf(run: Pick<Envelope, "steps" | "spans" | "facts">): StepView[] {
  return run.steps.length > 0 ? recordedSteps(run) : spanSteps(run.spans.map(({ span }) => span));
}

function recordedSteps(run: Pick<Envelope, "steps" | "facts">): StepView[] {
  const continued = run.facts?.replay?.continued;
  return run.steps.map(({ span, record }) => ({
    step: record.step + 1,
    id: span.spanId,
    slot: `${record.path === "" ? "" : `${record.path}/`}${record.op}|${record.n}`,
    attempt: record.attempt,
    kind: textOrNull(span.attributes[ATTR.kind]) ?? "",
    name: span.name,
    status: statusOf(span.status.code, record),
    error: span.status.code === 2 ? span.status.message : null,
    start: record.order.start,
    settle: record.order.settle ?? null,
    durationMs: durationOf(span) ?? 0,
    model: record.model ?? null,
    tokens: tokensOf(span),
    input: textOrNull(span.attributes[ATTR.inputValue]),
    output: textOrNull(span.attributes[ATTR.outputValue]) ?? childOutput(record),
    ...answerOf(record, span),
    answeredBy:
      continued === undefined
        ? null
        : (continued.answers[record.step + 1] ?? (record.step < continued.behind ? "recorded" : null)),
    depth:
      record.path.split("/").filter((s) => s.startsWith("tool:") || s.startsWith("agent:")).length - ownLevel(span),
    record,
  }));
}

/** The path of a tool step includes the tool itself. */
const ownLevel = ({ attributes }: OtlpSpan): number => (attributes[ATTR.kind] === "TOOL" ? 1 : 0);

function spanSteps(all: readonly OtlpSpan[]): StepView[] {
  const steps = all.filter(({ attributes }) => !(ATTR.root in attributes));
  const known = steps.filter((span) => spanKind(span) !== "");
  const shown = (known.length > 0 ? known : steps).toSorted((a, b) => (a.startUnixNano < b.startUnixNano ? -1 : 1));
  const depths = new Map<string, number>();
  return shown.map((span, at) => {
    const depth = span.parentSpanId === null ? 0 : (depths.get(span.parentSpanId) ?? -1) + 1;
    depths.set(span.spanId, depth);
    const { input, output } = spanTexts(span);
    const durationMs = durationOf(span);
    return {
      step: at + 1,
      id: span.spanId,
      slot: "",
      attempt: 0,
      kind: spanKind(span),
      name: spanTool(span) ?? span.name,
      status: span.status.code === 2 ? "error" : durationMs === null ? "open" : "ok",
      error: span.status.code === 2 ? span.status.message : null,
      start: at,
      settle: null,
      durationMs: durationMs ?? 0,
      model: modelOf(span),
      tokens: tokensOf(span),
      input,
      output,
      events: null,
      answer: null,
      answeredBy: null,
      depth,
      record: null,
    };
  });
}

/** Milliseconds; null: the span has not ended. */
function durationOf({ startUnixNano, endUnixNano }: OtlpSpan): number | null {
  const end = endTime(startUnixNano, endUnixNano);
  return end === null ? null : Number((end - startUnixNano) / 1000n) / 1000;
}

/** As asked and as answered, in whichever convention. */
function modelOf(span: OtlpSpan): StepView["model"] {
  const asked = textOrNull(span.attributes["gen_ai.request.model"]) ?? textOrNull(span.attributes["ai.model.id"]);
  const answered = spanModel(span);
  if (asked === null && answered === undefined) return null;
  return { ...(asked !== null && { asked }), ...(answered !== undefined && { answered }) };
}

function tokensOf(span: OtlpSpan): StepTokens | null {
  const counted = spanTokens(span);
  const count = (name: string): number | null => counted[name] ?? null;
  const tokens = {
    input: count("prompt"),
    output: count("completion"),
    cached: count("prompt_details.cache_read"),
    reasoning: count("completion_details.reasoning"),
  };
  return tokens.input === null && tokens.output === null ? null : tokens;
}

/** A stream that was cancelled after its end marker counts as read whole. */
function answerOf({ exchange }: StepRecord, { attributes }: OtlpSpan): Pick<StepView, "events" | "answer"> {
  const { response, end } = exchange ?? {};
  if (response === undefined) return { events: null, answer: null };
  const { body } = response;
  const mime = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const text = body !== undefined && "text" in body ? textOrNull(body.text) : null;
  const events = text === null ? null : streamEvents(text, mime);
  const isPart = end !== "complete" && !(events !== null && hasStreamEnd(events));
  return { events: attributes[ATTR.outputValue] === undefined ? events : null, answer: isPart ? "part" : "whole" };
}

function statusOf(code: number, record: StepRecord): StepView["status"] {
  if (code === 2) return "error";
  return record.order.settle === undefined && (record.exchange === undefined || record.exchange.end === "open")
    ? "open"
    : "ok";
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
