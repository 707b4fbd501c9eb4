import { decodeSpan, endTime, type OtlpSpan, type ScannedSpan, WireWriter } from "@reenact/envelope";
import { spanKind } from "@reenact/envelope/file";
import { callCost, type ModelPrices } from "../retain/run-cost.ts";

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
 * is changed, but for an end before the start, by a clock that was set back: a viewer would show a negative duration. A root is given what its calls in the same batch have. If steps of the run are missing there, as when its spans came
 * in several requests, nothing is counted, and the question is given only if it is the last one of every call that is there.
 */
export function forPeople(spans: readonly ScannedSpan[], prices: ModelPrices | null): readonly ScannedSpan[] {
  const read = spans.flatMap(readSpan);
  const calls = read.filter(({ span }) => spanKind(span) === "LLM");
  const roots = read.filter(({ span }) => span.attributes["reenact.root"] !== undefined);
  const added = new Map<ScannedSpan, WireWriter>();
  const add = (scanned: ScannedSpan, more: WireWriter) => {
    const before = added.get(scanned);
    added.set(scanned, before === undefined ? more : before.raw(more.finish()));
  };
  for (const { scanned, span } of calls) {
    const cost = prices === null ? null : callCost(span, undefined, prices);
    if (cost === null || span.attributes["llm.cost.total"] !== undefined) continue;
    const costs = {
      "llm.cost.prompt": cost.prompt / 1e6,
      "llm.cost.completion": cost.completion / 1e6,
      "llm.cost.total": (cost.prompt + cost.completion) / 1e6,
    };
    add(scanned, attributes(costs));
  }
  for (const { scanned, span, run } of roots) {
    const own = calls
      .filter((call) => call.run === run)
      .toSorted((a, b) => Number(a.span.startUnixNano - b.span.startUnixNano));
    const steps = read.filter((each) => each.run === run && each.span.attributes["reenact.record"] !== undefined);
    const facts = rootFacts(own, prices, steps.length >= stepsOf(span));
    const missing = Object.entries(facts).filter(([key]) => span.attributes[key] === undefined);
    if (missing.length > 0) add(scanned, attributes(Object.fromEntries(missing)));
  }
  for (const { scanned, span } of read) {
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

function rootFacts(calls: readonly Read[], prices: ModelPrices | null, isWhole: boolean): Record<string, string> {
  const facts: Record<string, string> = {};
  const [first] = calls;
  if (first === undefined) return facts;
  const questions = calls.map(({ span }) => lastText(span, "llm.input_messages", "user"));
  const question = isWhole || new Set(questions).size === 1 ? questions[0]! : null;
  const answers = calls.map(({ span }) => lastText(span, "llm.output_messages", null)).filter((text) => text !== null);
  const answer = answers.at(-1);
  if (question !== null) Object.assign(facts, { "input.value": question, "input.mime_type": "text/plain" });
  if (answer !== undefined) Object.assign(facts, { "output.value": answer, "output.mime_type": "text/plain" });
  if (!isWhole) return facts;
  const costs =
    prices === null
      ? []
      : calls.map(({ span }) => (span.status.code === 2 ? 0 : sum(callCost(span, undefined, prices))));
  const known = costs.length > 0 && costs.every((cost) => cost !== null);
  const metadata = {
    calls: calls.length,
    models: names(calls, "llm.model_name"),
    ...(names(calls, "llm.provider").length > 0 && { providers: names(calls, "llm.provider") }),
    ...(known && {
      cost_usd: costs.reduce<number>((total, cost) => total + cost!, 0) / 1e6,
      prices: prices!.version,
    }),
  };
  return { ...facts, metadata: JSON.stringify(metadata) };
}

const sum = (cost: ReturnType<typeof callCost>) => (cost === null ? null : cost.prompt + cost.completion);

const names = (calls: readonly Read[], key: string): string[] => [
  ...new Set(calls.map(({ span }) => span.attributes[key]).filter((name) => typeof name === "string")),
];

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
