import { ATTR, type OtlpSpan, type StepRecord } from "@reenact/envelope";
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
  input: string | null;
  output: string | null;
  /** how many tools and agents it is in */
  depth: number;
  /** null: the span is all there is of it */
  record: StepRecord | null;
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
    input: textOrNull(span.attributes[ATTR.inputValue]),
    output: textOrNull(span.attributes[ATTR.outputValue]),
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
      input,
      output,
      depth,
      record: null,
    };
  });
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
