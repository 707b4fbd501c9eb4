import { decodeSpan, scanTraces } from "@reenact/envelope";
import { expect, test } from "vitest";
import { forPeople } from "./for-people.ts";
import { createCallTable } from "./run-calls.ts";
import { sampleTraces, spanId } from "./sample-traces.test.fixture.ts";

const RUN = { "reenact.run.id": "0123456789abcdef0123456789abcdef" };
const ROOT = { ...RUN, "reenact.root": "{}", "openinference.span.kind": "AGENT", "session.id": "s" };
const prices = { version: "v1", models: { "gpt-4o": { input: 2, output: 10, cached: 1 } } };

function call(n: number, attributes: Record<string, unknown>) {
  const kind = { ...RUN, "openinference.span.kind": "LLM", "llm.model_name": "gpt-4o-2024", "llm.provider": "openai" };
  return scanTraces(sampleTraces(n, { startUnixNano: BigInt(n), attributes: { ...kind, ...attributes } as never }))[0]!;
}
const root = (attributes: Record<string, unknown> = {}) =>
  scanTraces(sampleTraces(1, { startUnixNano: 1n, attributes: { ...ROOT, ...attributes } as never }))[0]!;
const first = call(2, {
  "llm.input_messages.0.message.role": "system",
  "llm.input_messages.0.message.content": "Be kind.",
  "llm.input_messages.1.message.role": "user",
  "llm.input_messages.1.message.content": "Refund order 7",
  "llm.token_count.prompt": 1000,
  "llm.token_count.completion": 100,
  "llm.token_count.prompt_details.cache_read": 500,
});
const last = call(3, {
  "llm.input_messages.0.message.role": "user",
  "llm.input_messages.0.message.content": "and now?",
  "llm.output_messages.0.message.role": "assistant",
  "llm.output_messages.0.message.contents.0.message_content.text": "It is refunded.",
  "llm.token_count.prompt": 100,
  "llm.token_count.completion": 10,
});
const shown = (spans: readonly ReturnType<typeof root>[]) => spans.map(({ span }) => decodeSpan(span).attributes);

test("a root gets question, answer and what its calls cost; a call its cost", () => {
  const [last_, root_, first_] = shown(forPeople([last, root(), first], prices));
  expect(root_).toMatchObject({
    ...ROOT,
    "input.value": "Refund order 7",
    "input.mime_type": "text/plain",
    "output.value": "It is refunded.",
    "output.mime_type": "text/plain",
  });
  const metadata = JSON.parse(String(root_!["metadata"])) as { cost_usd: number };
  expect(metadata).toMatchObject({ calls: 2, models: ["gpt-4o-2024"], providers: ["openai"], prices: "v1" });
  expect(metadata.cost_usd).toBeCloseTo(0.0028);
  expect(first_!["llm.cost.prompt"]).toBeCloseTo(0.0015);
  expect(first_!["llm.cost.completion"]).toBeCloseTo(0.001);
  expect(last_!["llm.cost.total"]).toBeCloseTo(0.0003);
  // of a root nothing is counted that a viewer would count twice
  expect(Object.keys(root_!).filter((key) => key.startsWith("llm."))).toEqual([]);
});

test("what is there stays, what is not known is not said, and other runs' calls are not taken", () => {
  const own = { "input.value": "mine", "input.mime_type": "text/plain", "output.value": "", metadata: "{}" };
  const kept = root(own);
  expect(shown(forPeople([kept, first, last], null))[0]).toMatchObject({ ...ROOT, ...own });
  const foreign = root({ "reenact.run.id": "f".repeat(32) });
  expect(forPeople([foreign, first], null)[0]).toBe(foreign);
  const unpriced = JSON.parse(
    String(shown(forPeople([root(), first], { version: "v", models: {} }))[0]!["metadata"]),
  ) as object;
  expect(unpriced).not.toHaveProperty("cost_usd");
  expect(forPeople([first, last], null)).toEqual([first, last]);
});

test("of a run that came in several requests nothing is counted that is not all of it", () => {
  const part = root({ "reenact.root": JSON.stringify({ v: 1, steps: 2 }) });
  const steps = [2, 3].map((n) =>
    call(n, { ...decodeSpan((n === 2 ? first : last).span).attributes, "reenact.record": "{}" }),
  );
  const [whole] = shown(forPeople([part, ...steps], prices));
  expect(JSON.parse(String(whole!["metadata"]))).toMatchObject({ calls: 2 });
  expect(whole!["input.value"]).toBe("Refund order 7");
  const [cut] = shown(forPeople([part, steps[1]!], prices));
  expect(cut).toMatchObject({ "input.value": "and now?", "output.value": "It is refunded." });
  expect(cut).not.toHaveProperty("metadata");
  const three = root({ "reenact.root": JSON.stringify({ v: 1, steps: 3 }) });
  const [other] = shown(forPeople([three, ...steps], prices));
  // which of the two questions began the run is not known
  expect(other).not.toHaveProperty("input.value");
  expect(other).toMatchObject({ "output.value": "It is refunded." });
});

test("a root is given what calls in earlier requests had; one that comes twice counts once", () => {
  const calls = createCallTable();
  const steps = [2, 3].map((n) =>
    call(n, { ...decodeSpan((n === 2 ? first : last).span).attributes, "reenact.record": "{}" }),
  );
  for (const step of [steps[1]!, steps[0]!, steps[1]!]) forPeople([step], prices, calls);
  forPeople([root({ "reenact.run.id": "f".repeat(32) })], prices, calls);
  const [whole] = shown(forPeople([root({ "reenact.root": JSON.stringify({ v: 1, steps: 2 }) })], prices, calls));
  expect(whole).toMatchObject({ "input.value": "Refund order 7", "output.value": "It is refunded." });
  const metadata = JSON.parse(String(whole!["metadata"])) as { cost_usd: number };
  expect(metadata).toMatchObject({ calls: 2, models: ["gpt-4o-2024"], providers: ["openai"], prices: "v1" });
  expect(metadata.cost_usd).toBeCloseTo(0.0028);
  const [cut] = shown(forPeople([root({ "reenact.root": JSON.stringify({ v: 1, steps: 3 }) })], prices, calls));
  expect(cut).not.toHaveProperty("metadata");
});

test("of very many runs those are forgotten that were not seen for longest, and nothing is counted of them", () => {
  const calls = createCallTable(20_000);
  const runId = (n: number) => n.toString(16).padStart(32, "0");
  const step = (n: number) => call(2, { "reenact.run.id": runId(n), "reenact.record": "{}" });
  for (let n = 0; n < 50; n++) {
    forPeople([step(n)], null, calls);
    forPeople([step(0)], null, calls);
  }
  const kept = Array.from({ length: 50 }, (_, n) => n).filter((n) => calls.of(runId(n)) !== null);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(25);
  expect(kept).toContain(0);
  expect(kept).toContain(49);
  expect(kept).not.toContain(1);
});

test("a span that cannot be read is left as it is", () => {
  const broken = { ...root(), span: Buffer.from([0xff, 0xff]), spanId: spanId(9) };
  expect(forPeople([broken, root(), first], prices)[0]).toBe(broken);
});

test("a span that ended before it started, since a clock was set back, ends at its start for a viewer", () => {
  const back = scanTraces(sampleTraces(4, { startUnixNano: 50n, endUnixNano: 20n }))[0]!;
  const forth = scanTraces(sampleTraces(5, { startUnixNano: 20n, endUnixNano: 50n }))[0]!;
  const open = scanTraces(sampleTraces(6, { startUnixNano: 20n, endUnixNano: 0n }))[0]!;
  const sent = forPeople([back, forth, open], null);
  expect(sent.map(({ span }) => decodeSpan(span).endUnixNano)).toEqual([50n, 50n, 0n]);
  expect(sent.slice(1)).toEqual([forth, open]);
});
