import { ATTR, type StepRecord } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";

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
  record: StepRecord;
}

export function stepsOf(run: Envelope): ShownStep[] {
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
    record,
  }));
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
