import { groupOne } from "./attributes.ts";
import { epochNow } from "../patch/originals.ts";
import type { EndedSpan } from "../run/sink.ts";
import type { Step } from "./step.ts";

/** A span without payload: no redaction policy is loaded. */
export function spanWithoutPayload(step: Step): EndedSpan {
  const status = step.exchange?.response?.status ?? 0;
  const ok = step.error === null && status < 400 && step.exchange?.end !== "error";
  const { run, kind } = step;
  return {
    run: run.id,
    traceId: run.traceId,
    spanId: step.spanId,
    parentSpanId: step.parentSpanId,
    name: kind,
    client: kind === "LLM" || kind === "EMBEDDING" || kind === "DB" || kind === "HTTP",
    started: step.started,
    ended: step.ended ?? epochNow(),
    ok,
    message: ok ? "" : status >= 400 ? `HTTP ${status}` : "error",
    ...(step.exchange?.end === "aborted" ? { aborted: true } : {}),
    attributes: groupOne(run.id, kind, null, null, null),
    events: [],
    link: step.link,
  };
}
