import { ATTR, UNREAD_TEXTS } from "../schema/attributes.ts";
import { EnvelopeError } from "../envelope-error.ts";
import type { JournalSegment } from "../journal/journal-event.ts";
import type { ScannedSpan } from "../otlp/scan-traces.ts";
import { KnownTexts } from "../otlp/known-texts.ts";
import { decodeSpan, type OtlpSpan } from "../otlp/span.ts";
import { type StepRecord, stepRecord } from "../schema/record.ts";
import { type RootFacts, rootFacts } from "../schema/root-facts.ts";
import { assembleLanes, type LaneJournal } from "./lane-journal.ts";

export interface RunSpan {
  readonly scanned: ScannedSpan;
  readonly span: OtlpSpan;
  /** null: the span is no step, or its record is not whole */
  readonly record: StepRecord | null;
}
export interface RunStep extends RunSpan {
  readonly record: StepRecord;
}

/** One run, taken from its spans. */
export interface Run {
  readonly id: string;
  /** no recorder of ours made it: its id is the trace's, and it can be shown but not replayed */
  readonly foreign: boolean;
  /** all spans, context included, in the order in which they came */
  readonly spans: readonly RunSpan[];
  readonly root: OtlpSpan | null;
  readonly facts: RootFacts | null;
  /** in order of creation; each attempt is a step */
  readonly steps: readonly RunStep[];
  /** by lane */
  readonly journals: ReadonlyMap<string, LaneJournal>;
  readonly complete: boolean;
  readonly incompleteReasons: readonly string[];
}

const OWN = [ATTR.runId, ATTR.record, ATTR.recordLength, ATTR.root];

/**
 * Reads what the spans of one run say. `expected` is the id under which they were kept: then spans of which none carries
 * a run id are a foreign run, and a span that cannot be decoded is told of and kept. Without it they throw `NO_RUN` and
 * `BAD_OTLP`. Throws `OTHER_RUN` for spans of two runs. `longest`: as for `decodeSpan`. `attributes`: those
 * that are wanted beside the ones that are read here; default: all.
 */
export function readRun(
  scanned: readonly ScannedSpan[],
  expected?: string,
  longest?: number,
  attributes?: readonly string[],
): Run {
  // they stay where they are
  const known = scanned[0] && new KnownTexts(scanned[0].span.buffer);
  const reader = runReader({ expected, longest, attributes, known });
  for (const each of scanned) reader.take(each);
  return reader.finish();
}

/**
 * As `readRun`, for spans that come one after another. `lean`: of each span and its record it keeps what a manifest is
 * made of, so that its bytes and payloads need not stay.
 */
export function runReader(options: {
  readonly expected: string | undefined;
  readonly longest: number | undefined;
  readonly attributes?: readonly string[] | undefined;
  readonly lean?: boolean;
  readonly known?: KnownTexts | undefined;
}): { take(scanned: ScannedSpan): void; finish(): Run } {
  const { expected, longest, attributes, lean = false, known } = options;
  const wanted = attributes && new Set([...OWN, ...attributes]);
  const spans: RunSpan[] = [];
  const [ofSpans, ofRecords]: [string[], string[]] = [[], []];
  return {
    take(scanned) {
      const span = decode(scanned, expected !== undefined, ofSpans, { longest, wanted, known });
      const whole = { scanned, span, record: recordOf(span, ofRecords) };
      spans.push(lean ? leanSpan(whole) : whole);
    },
    finish() {
      if (expected !== undefined && !spans.some(({ span }) => isRunId(span.attributes[ATTR.runId])))
        return foreignRun(expected, spans, ofSpans);
      return ownRun(spans, expected, [...ofSpans, ...ofRecords]);
    },
  };
}

/** Inputs that the recorder did not keep: without them nothing behind them can be replayed. */
const LOST_INPUTS = /^(?:prelude|journal|environment|child): /;

const NOTHING = new Uint8Array();
const SHORT = 1024;

function leanSpan({ scanned, span, record }: RunSpan): RunSpan {
  const text = span.attributes[ATTR.record];
  // a copy: a slice would hold all of the text
  if (typeof text === "string" && text.length > SHORT)
    span.attributes[ATTR.record] = Buffer.from(text.slice(0, SHORT)).toString();
  const { exchange: _e, call: _c, digests: _d, ...rest } = record ?? {};
  return { scanned: { ...scanned, span: NOTHING }, span, record: record && (rest as StepRecord) };
}

function ownRun(spans: readonly RunSpan[], expected: string | undefined, reasons: string[]): Run {
  const id = runIdOf(
    spans.map(({ span }) => span),
    expected !== undefined,
  );
  const roots = spans.filter(({ span }) => ATTR.root in span.attributes);
  const root = roots[0]?.span ?? null;
  const facts = root ? factsOf(root, reasons) : null;
  const steps = spans
    .filter((each): each is RunStep => each.record !== null)
    .toSorted((a, b) => a.record.step - b.record.step || (a.span.endUnixNano < b.span.endUnixNano ? -1 : 1));

  const journals = assembleLanes(segmentsOf(steps, facts), facts?.lanes);
  reasons.push(
    ...rootProblems(root, roots.length),
    ...(facts === null ? [] : lostInputs(facts, steps)),
    ...[...journals.values()].flatMap(({ problem }) => problem ?? []),
    ...(facts === null ? [] : missingTotals(facts)),
  );
  const complete = reasons.length === 0;
  return { id, foreign: false, spans, root, facts, steps, journals, complete, incompleteReasons: reasons };
}

function rootProblems(root: OtlpSpan | null, count: number): string[] {
  if (root === null) return ["no root span: the process died before the run ended, or spans are missing"];
  return [
    ...(root.endUnixNano === 0n ? ["the root span has not ended"] : []),
    ...(count > 1 ? [`${count} root spans`] : []),
  ];
}

function lostInputs(facts: RootFacts, steps: readonly RunStep[]): string[] {
  const unread = steps.find(({ record }) => record.lossy?.includes(UNREAD_TEXTS))?.record;
  return [
    ...(facts.lossy ?? []).filter((line) => LOST_INPUTS.test(line)),
    ...(unread === undefined
      ? []
      : [`step ${unread.step + 1} (${unread.op}): long texts could not be redacted, and are not kept`]),
    ...missingSteps(steps, facts),
  ];
}

/** Why a run is incomplete that is whole up to its answer. */
export const DIED_BEHIND_ANSWER = "the process died right behind the answer";

function missingTotals(facts: RootFacts): string[] {
  if (facts.answered) return [DIED_BEHIND_ANSWER];
  if (facts.died) return ["the process died before the run ended"];
  return facts.lanes ? [] : ["the root does not say how many journal events there were"];
}

/** Its root is the first span, in order of start, without a parent, else the first whose parent is not among them. */
function foreignRun(id: string, decoded: readonly RunSpan[], reasons: readonly string[]): Run {
  const spans = decoded.map((each): RunSpan => ({ ...each, record: null }));
  const ids = new Set(spans.map(({ span }) => span.spanId));
  const tops = spans.filter(({ span }) => span.parentSpanId === null || !ids.has(span.parentSpanId));
  const parentless = tops.filter(({ span }) => span.parentSpanId === null);
  const root = (parentless.length > 0 ? parentless : tops).reduce<OtlpSpan | null>(
    (first, { span }) => (first === null || span.startUnixNano < first.startUnixNano ? span : first),
    null,
  );
  return {
    id,
    foreign: true,
    spans,
    root,
    facts: null,
    steps: [],
    journals: new Map(),
    complete: false,
    incompleteReasons: ["not replayable: no exchanges", ...reasons],
  };
}

const isRunId = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{32}$/.test(value);

/** A span that is no proper OTLP has its ids and its start. */
function decode(
  scanned: ScannedSpan,
  lenient: boolean,
  reasons: string[],
  how: {
    readonly longest: number | undefined;
    readonly wanted: ReadonlySet<string> | undefined;
    readonly known: KnownTexts | undefined;
  },
): OtlpSpan {
  try {
    return decodeSpan(scanned.span, how.longest, how.wanted, how.known);
  } catch (error) {
    if (!lenient || !(error instanceof EnvelopeError)) throw error;
    const { traceId, spanId, startUnixNano } = scanned;
    reasons.push(`span ${spanId}: ${error.message}`);
    return {
      traceId,
      spanId,
      parentSpanId: null,
      name: "",
      kind: 0,
      startUnixNano,
      endUnixNano: 0n,
      attributes: {},
      droppedAttributesCount: 0,
      events: [],
      links: [],
      traceState: "",
      flags: 0,
      status: {
        code: 0,
        message: "",
      },
    };
  }
}

function runIdOf(spans: readonly OtlpSpan[], lenient: boolean): string {
  let run: string | null = null;
  for (const { attributes } of spans) {
    const id = attributes[ATTR.runId];
    if (typeof id !== "string") continue;
    if (!isRunId(id)) {
      if (lenient) continue;
      throw new EnvelopeError("NO_RUN", "run", `${JSON.stringify(id.slice(0, 64))} is no run id`);
    }
    if (run !== null && run !== id) throw new EnvelopeError("OTHER_RUN", "run", `spans of ${run} and of ${id}`);
    run = id;
  }
  if (run === null) throw new EnvelopeError("NO_RUN", "run", `none of ${spans.length} spans carries ${ATTR.runId}`);
  return run;
}

function recordOf(span: OtlpSpan, reasons: string[]): StepRecord | null {
  const { [ATTR.record]: text, [ATTR.recordLength]: length } = span.attributes;
  if (typeof text !== "string") return null;
  if (typeof length === "number" && length !== text.length) {
    reasons.push(`span ${span.spanId}: the record was cut (${text.length} of ${length} characters)`);
    return null;
  }
  const parsed = stepRecord.safeParse(parseOrNull(text));
  if (parsed.success) return parsed.data;
  reasons.push(`span ${span.spanId}: the record is malformed`);
  return null;
}

function factsOf(root: OtlpSpan, reasons: string[]): RootFacts | null {
  const text = root.attributes[ATTR.root];
  const parsed = rootFacts.safeParse(typeof text === "string" ? parseOrNull(text) : null);
  if (parsed.success) return parsed.data;
  reasons.push("the root facts are malformed");
  return null;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function missingSteps(steps: readonly RunStep[], facts: RootFacts): string[] {
  if (facts.steps === undefined) return ["the root does not say how many steps there were"];
  const seen = new Map<number, number>();
  for (const { record } of steps) seen.set(record.step, (seen.get(record.step) ?? 0) + 1);
  const reasons: string[] = [];
  const missing: number[] = [];
  let absent = 0;
  for (const number of seen.keys())
    if (number >= facts.steps) reasons.push(`step ${number} is past the ${facts.steps} steps of the run`);
  const known = [...seen.keys()].filter((number) => number < facts.steps!).length;
  for (let number = 0; number < facts.steps && known + absent < facts.steps; number++) {
    if (seen.has(number)) continue;
    absent++;
    if (missing.length < 10) missing.push(number);
    else break;
  }
  const lost = facts.steps - known;
  if (lost > 0)
    reasons.push(`${lost} of ${facts.steps} steps missing: ${missing.join(", ")}${lost > missing.length ? ", …" : ""}`);
  for (const [number, times] of seen) if (times > 1) reasons.push(`step ${number} has ${times} spans`);
  return reasons;
}

function segmentsOf(steps: readonly RunStep[], facts: RootFacts | null): JournalSegment[] {
  const segments = steps.flatMap(({ record }) => (record.journal ? [record.journal] : []));
  return facts?.journal === undefined ? segments : segments.concat(facts.journal);
}
