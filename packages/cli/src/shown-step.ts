import { ATTR, type OtlpSpan, type StepRecord } from "@reenact/envelope";
import { hasStreamEnd, type ShownEvent, streamEvents } from "./stream-events.ts";
import { type Envelope, spanKind, spanTexts } from "@reenact/envelope/file";

/** One step as `show --json` gives it; fields are only ever added. */
export interface ShownStep {
  /** from 1, by start */
  step: number;
  slot: string;
  attempt: number;
  kind: string;
  name: string;
  /** "open": neither answered nor refused when its run ended */
  status: "ok" | "error" | "open";
  error: string | null;
  start: number;
  settle: number | null;
  durationMs: number;
  model: StepRecord["model"] | null;
  /** as the provider counts them; null: it does not say */
  tokens: ShownTokens | null;
  input: string | null;
  output: string | null;
  /** of a stream that is no model's answer */
  events: ShownEvent[] | null;
  /** what was read of an answer: "part" where it was aborted or cancelled before its end; null: there was none */
  answer: "whole" | "part" | null;
  /** how many tools and agents it is in */
  depth: number;
  /** null: the span is all there is of it */
  record: StepRecord | null;
}

export interface ShownTokens {
  input: number | null;
  output: number | null;
  /** of the input */
  cached: number | null;
  /** of the output */
  reasoning: number | null;
}

/** Where a run has no records, because others made it or its recorder left them out, what its spans say of themselves. */
export function stepsOf(run: Envelope): ShownStep[] {
  return run.steps.length > 0 ? recordedSteps(run) : spanSteps(run.spans.map(({ span }) => span));
}

function recordedSteps(run: Envelope): ShownStep[] {
  return run.steps.map(({ span, record }) => ({
    step: record.step + 1,
    slot: `${record.path === "" ? "" : `${record.path}/`}${record.op}|${record.n}`,
    attempt: record.attempt,
    kind: textOrNull(span.attributes[ATTR.kind]) ?? "",
    name: span.name,
    status: statusOf(span.status.code, record),
    error: span.status.code === 2 ? span.status.message : null,
    start: record.order.start,
    settle: record.order.settle ?? null,
    durationMs: Number((span.endUnixNano - span.startUnixNano) / 1000n) / 1000,
    model: record.model ?? null,
    tokens: tokensOf(span),
    input: textOrNull(span.attributes[ATTR.inputValue]),
    output: textOrNull(span.attributes[ATTR.outputValue]),
    ...answerOf(record, span),
    depth:
      record.path.split("/").filter((s) => s.startsWith("tool:") || s.startsWith("agent:")).length - ownLevel(span),
    record,
  }));
}

/** A tool's path names the tool itself. */
const ownLevel = ({ attributes }: OtlpSpan): number => (attributes[ATTR.kind] === "TOOL" ? 1 : 0);

function spanSteps(all: readonly OtlpSpan[]): ShownStep[] {
  const steps = all.filter(({ attributes }) => !(ATTR.root in attributes));
  const telling = steps.filter((span) => spanKind(span) !== "");
  const shown = (telling.length > 0 ? telling : steps).toSorted((a, b) => (a.startUnixNano < b.startUnixNano ? -1 : 1));
  const depths = new Map<string, number>();
  return shown.map((span, at) => {
    const depth = span.parentSpanId === null ? 0 : (depths.get(span.parentSpanId) ?? -1) + 1;
    depths.set(span.spanId, depth);
    const { input, output } = spanTexts(span);
    const ended = span.endUnixNano > 0n;
    return {
      step: at + 1,
      slot: "",
      attempt: 0,
      kind: spanKind(span),
      name: span.name,
      status: span.status.code === 2 ? "error" : ended ? "ok" : "open",
      error: span.status.code === 2 ? span.status.message : null,
      start: at,
      settle: null,
      durationMs: ended ? Number((span.endUnixNano - span.startUnixNano) / 1000n) / 1000 : 0,
      model: null,
      tokens: tokensOf(span),
      input,
      output,
      events: null,
      answer: null,
      depth,
      record: null,
    };
  });
}

function tokensOf({ attributes }: OtlpSpan): ShownTokens | null {
  const count = (name: string): number | null => {
    const value = attributes[`llm.token_count.${name}`];
    return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
  };
  const tokens = {
    input: count("prompt"),
    output: count("completion"),
    cached: count("prompt_details.cache_read"),
    reasoning: count("completion_details.reasoning"),
  };
  return tokens.input === null && tokens.output === null ? null : tokens;
}

/** A client may cancel a stream behind its last event. */
function answerOf({ exchange }: StepRecord, { attributes }: OtlpSpan): Pick<ShownStep, "events" | "answer"> {
  const { response, end } = exchange ?? {};
  if (response === undefined) return { events: null, answer: null };
  const { body } = response;
  const mime = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const text = body !== undefined && "text" in body ? textOrNull(body.text) : null;
  const events = text === null ? null : streamEvents(text, mime);
  const isPart = end !== "complete" && !(events !== null && hasStreamEnd(events));
  return { events: attributes[ATTR.outputValue] === undefined ? events : null, answer: isPart ? "part" : "whole" };
}

function statusOf(code: number, record: StepRecord): ShownStep["status"] {
  if (code === 2) return "error";
  return record.order.settle === undefined && (record.exchange === undefined || record.exchange.end === "open")
    ? "open"
    : "ok";
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
