import { decodeSpan, endTime, type OtlpSpan, type ScannedSpan, WireWriter } from "@reenact/envelope";
import { spanKind } from "@reenact/envelope/file";
import type { ModelPrices } from "@reenact/envelope/schema";
import { callCost } from "../retain/run-cost.ts";
import { type CallTable, createCallTable, type RunCalls, type SeenCall } from "./run-calls.ts";

/** Larger spans stay as they are: reading them would delay receiving. */
const READ = 1024 * 1024;
/** Characters of a text that is added to a root. */
const TEXT = 16 * 1024;

interface Read {
  readonly scanned: ScannedSpan;
  readonly span: OtlpSpan;
  readonly run: string;
}

/**
 * Adds attributes that viewers of traces show: to the root the first question and the last answer of its model calls as input
 * and output, and provider, models and cost as metadata; to each call `llm.cost.*`. Existing attributes stay; an end before
 * the start, from a clock that was set back, becomes the start, since a viewer would show a negative duration.
 * `table` holds the calls of earlier requests, so a root gets those too. If steps of the run are missing in it, nothing is
 * counted, and the question is added only if all calls that are there have the same one.
 */
export function forPeople(
  spans: readonly ScannedSpan[],
  prices: ModelPrices | null,
  table: CallTable = createCallTable(),
): readonly ScannedSpan[] {
  const read = spans.flatMap(readSpan);
  // first, so that a root that comes before its calls has those of this batch
  for (const each of read) noteSpan(each, prices, table);
  const added = new Map(read.map((each) => [each.scanned, additions(each, prices, table)]));
  return spans.map((scanned) => {
    const more = added.get(scanned)?.finish();
    return more === undefined || more.length === 0
      ? scanned
      : { ...scanned, span: Buffer.concat([scanned.span, more]) };
  });
}

function noteSpan({ span, run }: Read, prices: ModelPrices | null, table: CallTable): void {
  const isStep = span.attributes["reenact.record"] !== undefined;
  const isCall = spanKind(span) === "LLM";
  if (isCall || isStep) table.add(run, span.spanId, isStep, isCall ? seenCall(span, prices) : null);
}

/** Fields to be written behind those of the span. */
function additions({ span, run }: Read, prices: ModelPrices | null, table: CallTable): WireWriter {
  const isRoot = span.attributes["reenact.root"] !== undefined;
  const facts = isRoot ? rootFacts(table.of(run), prices, stepsOf(span)) : costFacts(span, prices);
  const missing = Object.entries(facts).filter(([key]) => span.attributes[key] === undefined);
  const out = attributes(Object.fromEntries(missing));
  const end = endTime(span.startUnixNano, span.endUnixNano);
  // of a field that is there twice the last one counts
  return end === null || end === span.endUnixNano ? out : out.fixed64(8, end);
}

/** None where they are not known, or the span says what it cost. */
function costFacts(span: OtlpSpan, prices: ModelPrices | null): Record<string, number> {
  const cost = priceOf(span, prices);
  if (cost === null || span.attributes["llm.cost.total"] !== undefined) return {};
  return {
    "llm.cost.prompt": cost.prompt / 1e6,
    "llm.cost.completion": cost.completion / 1e6,
    "llm.cost.total": (cost.prompt + cost.completion) / 1e6,
  };
}

/** Millionths of a US dollar; null: not known, or it is no model call. */
const priceOf = (span: OtlpSpan, prices: ModelPrices | null) =>
  prices === null || spanKind(span) !== "LLM" ? null : callCost(span, undefined, prices);

/** Empty for a span that cannot be read: the delivery reports it. */
function readSpan(scanned: ScannedSpan): Read[] {
  if (scanned.span.length > READ) return [];
  try {
    const span = decodeSpan(scanned.span);
    const run = span.attributes["reenact.run.id"];
    return [{ scanned, span, run: typeof run === "string" ? run : span.traceId }];
  } catch {
    return [];
  }
}

/** How many steps the root says there are; 0: it does not say. */
function stepsOf({ attributes }: OtlpSpan): number {
  try {
    const { steps } = JSON.parse(String(attributes["reenact.root"])) as { steps?: unknown };
    return typeof steps === "number" ? steps : 0;
  } catch {
    return 0;
  }
}

/** A call that failed costs nothing. */
function seenCall(span: OtlpSpan, prices: ModelPrices | null): SeenCall {
  const cost = priceOf(span, prices);
  const textOf = (key: string) => {
    const value = span.attributes[key];
    return typeof value === "string" ? value : null;
  };
  return {
    start: span.startUnixNano,
    question: lastText(span, "llm.input_messages", "user"),
    answer: lastText(span, "llm.output_messages", null),
    model: textOf("llm.model_name"),
    provider: textOf("llm.provider"),
    cost: span.status.code === 2 ? 0 : cost === null ? null : cost.prompt + cost.completion,
  };
}

/** `steps`: how many the root says there are */
function rootFacts(run: RunCalls | null, prices: ModelPrices | null, steps: number): Record<string, string> {
  if (run === null || run.calls === 0) return {};
  const isWhole = run.steps >= steps;
  const { calls, question, answer, models, providers, cost } = run;
  const facts: Record<string, string> = {};
  if (question !== null && (isWhole || run.isOneQuestion))
    Object.assign(facts, { "input.value": question, "input.mime_type": "text/plain" });
  if (answer !== null) Object.assign(facts, { "output.value": answer, "output.mime_type": "text/plain" });
  if (!isWhole) return facts;
  const metadata = {
    calls,
    models,
    ...(providers.length > 0 && { providers }),
    ...(prices !== null && cost !== null && { cost_usd: cost / 1e6, prices: prices.version }),
  };
  return { ...facts, metadata: JSON.stringify(metadata) };
}

/** The text of the last message, of the first that a model offers where there are several; null: none has one. */
function lastText({ attributes: of }: OtlpSpan, list: string, role: string | null): string | null {
  let found: string | null = null;
  for (let at = 0; of[`${list}.${at}.message.role`] !== undefined; at++) {
    if (role !== null && of[`${list}.${at}.message.role`] !== role) continue;
    const head = `${list}.${at}.message`;
    const text = of[`${head}.content`] ?? of[`${head}.contents.0.message_content.text`];
    if (typeof text === "string" && text !== "" && (role !== null || found === null)) found = text;
  }
  return found === null || found.length <= TEXT ? found : `${found.slice(0, TEXT)}…`;
}

function attributes(values: Readonly<Record<string, string | number>>): WireWriter {
  const out = new WireWriter();
  for (const [key, value] of Object.entries(values)) {
    const any = new WireWriter();
    out.message(
      9,
      new WireWriter()
        .string(1, key)
        .message(2, typeof value === "string" ? any.string(1, value) : any.double(4, value)),
    );
  }
  return out;
}
