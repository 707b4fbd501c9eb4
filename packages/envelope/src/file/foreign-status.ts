import { endTime } from "../otlp/end-time.ts";
import type { RunStatus } from "../schema/manifest.ts";
import { decodeSpan, type OtlpSpan } from "../otlp/span.ts";
import type { Run, RunSpan } from "./run.ts";
import { spanKind } from "./span-kind.ts";

/** How a run of other instrumentations ended, and the span that shows it; null: none does. */
export interface ForeignStatus {
  readonly status: RunStatus;
  readonly failed: OtlpSpan | null;
}

/** A span with one of these is a step of an agent, also where its word is none that we know. */
const AGENTIC = ["openinference.span.kind", "gen_ai.operation.name", "ai.operationId", "traceloop.span.kind"];
/** What a call was given, in each convention; names that end in a dot are the begin of several. */
const INPUTS = [
  "input.value",
  "llm.input_messages.",
  "llm.invocation_parameters",
  "tool.parameters",
  "gen_ai.input.messages",
  "gen_ai.prompt",
  "gen_ai.prompt.",
  "gen_ai.system_instructions",
  "gen_ai.tool.call.arguments",
  "ai.prompt",
  "ai.prompt.messages",
  "ai.toolCall.args",
  "traceloop.entity.input",
];
/** Texts of this many bytes may have been cut when the span was decoded. */
const CUT = 8192;

/**
 * `failed`: a root says so, or a step ended in error and no later attempt of the same call succeeded. `aborted`: no span
 * without a parent came, or it has not ended. An attempt is the same call if parent, kind, name and input are equal and
 * it began after the other had ended; what cannot be compared is another call. In doubt a run has failed: it is kept.
 */
export function foreignStatus({ spans, root }: Pick<Run, "spans" | "root">): ForeignStatus {
  const roots = spans.filter(({ span }) => span.parentSpanId === null).map(({ span }) => span);
  // the one that the manifest tells of comes first
  const failedRoot = roots.toSorted((a) => (a === root ? -1 : 0)).find(saysFailed);
  const failed = failedRoot ?? failedForGood(spans)?.span ?? null;
  if (failed) return { status: "failed", failed };
  const ended = roots.length > 0 && roots.every(({ endUnixNano }) => endUnixNano > 0n);
  return { status: ended ? "ok" : "aborted", failed: null };
}

const isStep = (span: OtlpSpan) =>
  spanKind(span) !== "" || AGENTIC.some((name) => typeof span.attributes[name] === "string");

const hasException = ({ events }: OtlpSpan) =>
  events.some(({ name, attributes }) => name === "exception" || "exception.type" in attributes);
const hasErrorType = ({ attributes }: OtlpSpan) =>
  attributes["error.type"] !== undefined && attributes["error.type"] !== "";

function saysFailed(root: OtlpSpan): boolean {
  return endedInError(root) || hasException(root) || hasErrorType(root) || failedHttp(root) !== null;
}

/** The HTTP status of a span, if it is a server's failure. */
export function failedHttp({ attributes }: OtlpSpan): number | null {
  const http = Number(attributes["http.response.status_code"] ?? attributes["http.status_code"] ?? 0);
  return http >= 500 ? http : null;
}

/** An exception on a span with status OK was handled there. */
function endedInError(span: OtlpSpan): boolean {
  const { status, attributes } = span;
  if (status.code === 2 || hasErrorType(span)) return true;
  const reasons = [attributes["ai.response.finishReason"], attributes["gen_ai.response.finish_reasons"]].flat();
  return reasons.includes("error") || (status.code !== 1 && hasException(span));
}

/** The first step, in order of start, that no later attempt mended, itself or as a part of a larger one. */
function failedForGood(spans: readonly RunSpan[]): RunSpan | null {
  const errors = spans.filter(({ span }) => isStep(span) && endedInError(span));
  if (errors.length === 0) return null;
  const places = new Set(errors.map(placeOf));
  const succeeded = Map.groupBy(
    spans.filter((each) => {
      const { span } = each;
      return span.endUnixNano > 0n && places.has(placeOf(each)) && isStep(span) && !endedInError(span);
    }),
    placeOf,
  );
  const inputs = new Map<RunSpan, string | null>();
  const input = (each: RunSpan) => {
    if (!inputs.has(each)) inputs.set(each, inputOf(each));
    return inputs.get(each)!;
  };
  const mended = new Set(
    errors.filter((error) => {
      const { startUnixNano, endUnixNano } = error.span;
      const over = endTime(startUnixNano, endUnixNano) ?? startUnixNano + 1n;
      const later = succeeded.get(placeOf(error))?.filter(({ span }) => span.startUnixNano >= over) ?? [];
      return later.some((each) => input(error) !== null && input(error) === input(each));
    }),
  );
  const mendedIds = new Set([...mended].map(({ span }) => span.spanId));
  const parents = new Map(spans.map(({ span }) => [span.spanId, span.parentSpanId]));
  const isMended = ({ span }: RunSpan) => {
    const path = new Set<string>();
    for (let at: string | null | undefined = span.spanId; at && !path.has(at); at = parents.get(at)) {
      if (mendedIds.has(at)) return true;
      path.add(at);
    }
    return false;
  };
  return errors.toSorted(byStart).find((error) => !isMended(error)) ?? null;
}

const byStart = (a: RunSpan, b: RunSpan) => (a.span.startUnixNano < b.span.startUnixNano ? -1 : 1);

const placeOf = ({ span }: RunSpan) => JSON.stringify([span.parentSpanId, spanKind(span), span.name]);

/** All that the call was given, whole; null: a part of it is not at hand. "": it says nothing of it. */
function inputOf({ scanned, span }: RunSpan): string | null {
  const isWhole = scanned.span.length > 0;
  const { attributes } = isWhole ? decodeSpan(scanned.span) : span;
  const given = Object.entries(attributes)
    .filter(([key]) => INPUTS.some((name) => (name.endsWith(".") ? key.startsWith(name) : key === name)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (!isWhole && given.some(([, value]) => Buffer.byteLength(textOf(value)) >= CUT)) return null;
  return given.length === 0 ? "" : textOf(given);
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each)) ?? "";
