import { decodeSpan, endTime, type OtlpSpan, type ScannedSpan, WireWriter } from "@reenact/envelope";
import { spanKind } from "@reenact/envelope/file";
import { callCost, type ModelPrices } from "../retain/run-cost.ts";
import { type CallTable, createCallTable, type RunCalls, type SeenCall } from "./run-calls.ts";

/** Larger spans stay as they are: reading them would hold up what is received. */
const READ = 1024 * 1024;
/** of a text that a root is given */
const TEXT = 16 * 1024;

interface Read {
  readonly scanned: ScannedSpan;
  readonly span: OtlpSpan;
  readonly run: string;
}

/**
 * What viewers of traces look for and a run does not have by itself: the root gets the first question and the last answer of its
 * model calls as input and output, and provider, models and cost as metadata; each call its `llm.cost.*`. Nothing that is there
 * is changed, but for an end before the start, by a clock that was set back: a viewer would show a negative duration.
 * A root is given what its calls have, in whatever requests they came before it: `table` has what has passed. If steps of the
 * run are missing there, nothing is counted, and the question is given only if it is the one of every call that is there.
 */
export function forPeople(
  spans: readonly ScannedSpan[],
  prices: ModelPrices | null,
  table: CallTable = createCallTable(),
): readonly ScannedSpan[] {
  const read = spans.flatMap(readSpan);
  const added = new Map<ScannedSpan, WireWriter>();
  const add = (scanned: ScannedSpan, more: WireWriter) => {
    const before = added.get(scanned);
    added.set(scanned, before === undefined ? more : before.raw(more.finish()));
  };
  for (const { scanned, span, run } of read) {
    const isCall = spanKind(span) === "LLM";
    const cost = isCall && prices !== null ? callCost(span, undefined, prices) : null;
    const isStep = span.attributes["reenact.record"] !== undefined;
    if (isCall || isStep) table.add(run, span.spanId, isStep, isCall ? seenCall(span, cost) : null);
    if (cost === null || span.attributes["llm.cost.total"] !== undefined) continue;
    const costs = {
      "llm.cost.prompt": cost.prompt / 1e6,
      "llm.cost.completion": cost.completion / 1e6,
      "llm.cost.total": (cost.prompt + cost.completion) / 1e6,
    };
    add(scanned, attributes(costs));
  }
  for (const { scanned, span, run } of read) {
    const calls = span.attributes["reenact.root"] === undefined ? null : table.of(run);
    const facts = calls === null || calls.calls === 0 ? {} : rootFacts(calls, prices, calls.steps >= stepsOf(span));
    const missing = Object.entries(facts).filter(([key]) => span.attributes[key] === undefined);
    if (missing.length > 0) add(scanned, attributes(Object.fromEntries(missing)));
    const end = endTime(span.startUnixNano, span.endUnixNano);
    // of a field that is there twice the last one counts
    if (end !== null && end !== span.endUnixNano) add(scanned, new WireWriter().fixed64(8, end));
  }
  return spans.map((scanned) => {
    const more = added.get(scanned);
    return more === undefined ? scanned : { ...scanned, span: Buffer.concat([scanned.span, more.finish()]) };
  });
}

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
function seenCall(span: OtlpSpan, cost: ReturnType<typeof callCost>): SeenCall {
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

function rootFacts(run: RunCalls, prices: ModelPrices | null, isWhole: boolean): Record<string, string> {
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
