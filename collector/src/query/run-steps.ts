import { endTime, type OtlpSpan, type ScannedSpan } from "@reenact/envelope";
import { readRun, type RunSpan, spanKind, spanModel, spanTokens } from "@reenact/envelope/file";
import { type StepView, stepsOf } from "@reenact/view";
import { allParts, digestOf, LONGEST_FACT, mainParts, partInfoOf, type SpanPart } from "./span-parts.ts";
import type { StepLine } from "./step-schema.ts";

const LONGEST_MESSAGE = 500;
const MOST_ATTRIBUTES = 200;

/** A step and its number. */
interface NumberedSpan {
  readonly of: RunSpan;
  readonly n: number;
  /** its parent is among the spans */
  readonly hasParent: boolean;
}

/** The steps of a run without their payloads: those behind number `after`, at most `limit`, and how many there are. */
export function stepLines(
  run: string,
  scanned: readonly ScannedSpan[],
  page: { readonly after: number; readonly limit: number },
): { steps: StepLine[]; total: number; next: number | null } {
  const all = numbered(run, scanned);
  const some = all.slice(page.after, page.after + page.limit);
  const last = page.after + some.length;
  return { steps: some.map((each) => lineOf(each)), total: all.length, next: last < all.length ? last : null };
}

/** Numbers of spans by id, in the order of their start, given in any. */
export function orderOf(
  spans: readonly { readonly id: string; readonly start: bigint }[],
): ReadonlyMap<string, number> {
  const sorted = spans.toSorted((a, b) => byStart(a.start, b.start, a.id, b.id));
  return new Map(sorted.map(({ id }, at) => [id, at + 1]));
}

/** Lines of some of a run's spans, in the given order; `numbers` are those of all. */
export function linesOf(
  run: string,
  scanned: readonly ScannedSpan[],
  numbers: ReadonlyMap<string, number>,
): StepLine[] {
  return readRun(scanned, run).spans.map((of) => {
    const { spanId, parentSpanId: parent } = of.span;
    return lineOf({ of, n: numbers.get(spanId) ?? 0, hasParent: parent !== null && numbers.has(parent) });
  });
}

/** One step with all that is known of it and a list of what can be read; null: there is none of this id or number. */
export function stepDetail(run: string, scanned: readonly ScannedSpan[], step: string) {
  const found = findStep(run, scanned, step);
  if (found === null) return null;
  const { record, span } = found.of;
  return {
    ...factsOf(found),
    parts: allParts(found.of).map(partInfoOf),
    attributes: shortAttributes(span),
    exchange: exchangeFacts(record),
    redacted: (record?.redacted?.places ?? []).map(({ at, rule, type, n }) => ({ at, rule, type, n })),
    source: record?.source ?? null,
    lossy: record?.lossy ?? [],
  };
}

/** Those that are short enough to be shown, and that JSON can hold. */
function shortAttributes({ attributes }: OtlpSpan): Record<string, string | number | boolean> {
  const isShort = (each: [string, unknown]): each is [string, string | number | boolean] => {
    const [, value] = each;
    if (typeof value === "number") return Number.isFinite(value);
    return typeof value === "boolean" || (typeof value === "string" && value.length <= LONGEST_FACT);
  };
  return Object.fromEntries(Object.entries(attributes).filter(isShort).slice(0, MOST_ATTRIBUTES));
}

/** What went over the wire without its bodies; null: the step has no record of that. */
function exchangeFacts(record: RunSpan["record"]) {
  const { exchange } = record ?? {};
  if (!exchange) return null;
  const { request, response, end } = exchange;
  return {
    method: request.method,
    url: request.url,
    requestHeaders: request.headers,
    status: response?.status ?? null,
    responseHeaders: response?.headers ?? [],
    end,
    chunks: response?.body?.cuts?.length ?? 0,
  };
}

/** "no-step", "no-part", or the part whose bytes have this SHA-256. */
export function stepPart(
  run: string,
  scanned: readonly ScannedSpan[],
  step: string,
  digest: string,
): SpanPart | "no-step" | "no-part" {
  const found = findStep(run, scanned, step);
  if (found === null) return "no-step";
  return allParts(found.of).find(({ value }) => digestOf(value) === digest) ?? "no-part";
}

/** The step with this span id or number. With an id, only its span's record is read. */
function findStep(run: string, scanned: readonly ScannedSpan[], step: string): NumberedSpan | null {
  const order = inOrder(scanned);
  const at = /^[0-9a-f]{16}$/.test(step)
    ? order.findIndex(({ spanId }) => spanId === step)
    : /^[1-9][0-9]{0,8}$/.test(step)
      ? Number(step) - 1
      : -1;
  const one = order[at];
  const of = one && readRun([one], run).spans[0];
  if (!of) return null;
  const { parentSpanId: parent } = of.span;
  return { of, n: at + 1, hasParent: parent !== null && order.some(({ spanId }) => spanId === parent) };
}

interface ReadSteps {
  readonly read: ReturnType<typeof readRun>;
  readonly lines: ReadonlyMap<string, ReturnType<typeof factsOf>>;
  readonly steps: readonly StepView[];
}

/** Who asks for one step after another gives the same list of spans: to read them all for each step would take the square of their number. */
const known = new WeakMap<readonly ScannedSpan[], ReadSteps>();

/** The spans of a run in the order of their numbers, their lines without parts, by id, and its steps. `scanned` is not changed later. */
export function readSteps(run: string, scanned: readonly ScannedSpan[]): ReadSteps {
  const found = known.get(scanned);
  if (found) return found;
  const read = readRun(inOrder(scanned), run);
  const lines = new Map(numberedSpans(read.spans).map((each) => [each.of.span.spanId, factsOf(each)]));
  const made = { read, lines, steps: stepsOf(read) };
  known.set(scanned, made);
  return made;
}

function numbered(run: string, scanned: readonly ScannedSpan[]): NumberedSpan[] {
  return numberedSpans(readRun(inOrder(scanned), run).spans);
}

function numberedSpans(spans: readonly RunSpan[]): NumberedSpan[] {
  const ids = new Set(spans.map(({ span }) => span.spanId));
  return spans.map((of, at) => {
    const { parentSpanId: parent } = of.span;
    return { of, n: at + 1, hasParent: parent !== null && ids.has(parent) };
  });
}

const inOrder = (scanned: readonly ScannedSpan[]): ScannedSpan[] =>
  scanned.toSorted((a, b) => byStart(a.startUnixNano, b.startUnixNano, a.spanId, b.spanId));

function byStart(a: bigint, b: bigint, idOfA: string, idOfB: string): number {
  if (a !== b) return a < b ? -1 : 1;
  return idOfA < idOfB ? -1 : idOfA === idOfB ? 0 : 1;
}

const msOf = (nanoseconds: bigint): number => Number(nanoseconds / 1000n) / 1000;

const lineOf = (step: NumberedSpan): StepLine => ({ ...factsOf(step), parts: mainParts(step.of).map(partInfoOf) });

/** The line of a step without the digests of its parts, for which all its bytes are read. */
function factsOf({ of, n, hasParent }: NumberedSpan): Omit<StepLine, "parts"> {
  const { span, record } = of;
  const error = errorOf(of);
  const times = timesOf(span);
  const isFailed = error !== null || span.status.code === 2;
  return {
    id: span.spanId,
    n,
    parent: hasParent ? span.parentSpanId : null,
    kind: spanKind(span),
    name: span.name,
    status: isFailed ? "failed" : times.ended === null ? "open" : "ok",
    error,
    ...times,
    ...recordFacts(record),
    model: spanModel(span) ?? record?.model?.answered ?? record?.model?.asked ?? null,
    tokens: spanTokens(span),
    cost: costOf(span),
  };
}

/** What only a record of ours has. */
function recordFacts(record: RunSpan["record"]): Pick<StepLine, "slot" | "attempt" | "firstChunkMs" | "redactions"> {
  if (!record) return { slot: null, attempt: null, firstChunkMs: null, redactions: 0 };
  const { path, op, n, attempt, exchange, redacted } = record;
  return {
    slot: `${path}|${op}|${n}`,
    attempt,
    firstChunkMs: exchange?.response?.body?.cuts?.[0]?.[0] ?? null,
    redactions: Object.values(redacted?.counts ?? {}).reduce((sum, each) => sum + each, 0),
  };
}

function timesOf({ startUnixNano, endUnixNano }: OtlpSpan): Pick<StepLine, "started" | "ended" | "durationMs"> {
  const end = endTime(startUnixNano, endUnixNano);
  return {
    started: msOf(startUnixNano),
    ended: end === null ? null : msOf(end),
    durationMs: end === null ? null : msOf(end - startUnixNano),
  };
}

function costOf({ attributes }: OtlpSpan): number | null {
  const cost = attributes["llm.cost.total"];
  return typeof cost === "number" && Number.isFinite(cost) ? cost : null;
}

function errorOf({ span, record }: RunSpan): StepLine["error"] {
  const recorded = record?.error;
  if (recorded) return { class: recorded.class || recorded.name, message: recorded.message.slice(0, LONGEST_MESSAGE) };
  if (span.status.code !== 2) return null;
  const exception = span.events.findLast(({ name }) => name === "exception")?.attributes ?? {};
  const textOf = (value: unknown) => (typeof value === "string" ? value : "");
  const message = textOf(exception["exception.message"]) || span.status.message;
  return { class: textOf(exception["exception.type"]), message: message.slice(0, LONGEST_MESSAGE) };
}
