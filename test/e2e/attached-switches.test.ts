import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Anthropic from "@anthropic-ai/sdk";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { AnthropicInstrumentation } from "@reenact/instrumentation-anthropic";
import { OpenAIInstrumentation } from "@reenact/instrumentation-openai";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Provider } from "../../examples/scripted-provider/provider.ts";
import { startProvider } from "../provider/start-provider.ts";
import { said, startTelemetry, type OwnTelemetry } from "./own-telemetry.ts";

const nativeFetch = globalThis.fetch;
const EMAIL = "jane.roe@customer.example";
const hello = (model = "scn-ok", content = `I am ${EMAIL}`) => ({
  model,
  messages: [{ role: "user" as const, content }],
});
let provider: Provider;
let telemetry: OwnTelemetry;
const made: { disable(): void }[] = [];

beforeAll(async () => {
  provider = await startProvider();
  telemetry = startTelemetry([], { attributeCountLimit: 40 });
});

afterEach(() => {
  for (const instrumentation of made.splice(0)) instrumentation.disable();
  expect(globalThis.fetch).toBe(nativeFetch);
});

afterAll(async () => {
  await telemetry.stop();
  await provider.stop();
});

function keep<T extends { disable(): void }>(instrumentation: T): T {
  made.push(instrumentation);
  return instrumentation;
}

const client = (): OpenAI => new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "none" });
const chat = (openai = client()): Promise<unknown> => openai.chat.completions.create(hello()).then((answer) => answer);

test("record: true adds the record, whole and redacted, and a line says that it does not replay", async () => {
  keep(new OpenAIInstrumentation({ record: true }));
  const { calls } = await telemetry.during(() => chat());
  const attributes: Record<string, unknown> = { ...calls[0]?.attributes };
  const record = String(attributes["reenact.record"]);
  expect(record.length).toBe(attributes["reenact.record.length"]);
  expect(JSON.parse(record)).toMatchObject({
    v: 1,
    op: "openai.chat",
    exchange: { end: "complete", response: { status: 200 } },
  });
  expect(record).not.toContain(EMAIL);
  expect(attributes["reenact.replayable"]).toBe(false);
  expect(attributes["reenact.run.id"]).toMatch(/^[0-9a-f]{32}$/);
});

test("setConfig takes effect at once, and keeps an inactive one inactive", async () => {
  const instrumentation = keep(new OpenAIInstrumentation({ record: true }));
  const openai = client();
  instrumentation.setConfig({ record: false });
  const { calls } = await telemetry.during(() => chat(openai));
  expect(calls[0]?.attributes).not.toHaveProperty("reenact.record");
  instrumentation.disable();
  instrumentation.setConfig({ record: true });
  expect((await telemetry.during(() => chat(openai))).calls).toEqual([]);
});

test("disable and enable, also for a client made in between, and fetch is given back", async () => {
  const instrumentation = keep(new OpenAIInstrumentation());
  const early = client();
  instrumentation.enable();
  expect((await telemetry.during(() => chat(early))).calls).toHaveLength(1);
  instrumentation.disable();
  instrumentation.disable();
  expect(globalThis.fetch).toBe(nativeFetch);
  expect((await telemetry.during(() => chat(early))).calls).toEqual([]);
  instrumentation.enable();
  expect((await telemetry.during(() => chat(early))).calls).toHaveLength(1);
  expect((await telemetry.during(() => chat())).calls).toHaveLength(1);
});

test("somebody's wrapper over ours stays, and a call has one span when we are enabled again", async () => {
  const instrumentation = keep(new OpenAIInstrumentation());
  const inner = globalThis.fetch;
  const theirs: typeof fetch = (input, init) => inner(input, init);
  globalThis.fetch = theirs;
  instrumentation.disable();
  expect(globalThis.fetch).toBe(theirs);
  instrumentation.enable();
  const { calls } = await telemetry.during(() => chat());
  expect(calls).toHaveLength(1);
  instrumentation.disable();
  expect(globalThis.fetch).toBe(theirs);
  globalThis.fetch = nativeFetch;
});

test("setTracerProvider: spans go there", async () => {
  const exporter = new InMemorySpanExporter();
  const mine = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  keep(new OpenAIInstrumentation()).setTracerProvider(mine);
  const { calls } = await telemetry.during(() => chat());
  expect(calls).toEqual([]);
  expect(exporter.getFinishedSpans().map(said)).toEqual(["LLM chat OK"]);
});

test("a provider that both we and a client were given is not touched: its spans are the client's wish", async () => {
  const exporter = new InMemorySpanExporter();
  const mine = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  keep(new AnthropicInstrumentation()).setTracerProvider(mine);
  const claude = new Anthropic({ baseURL: provider.url, apiKey: "none", openTelemetry: { tracerProvider: mine } });
  await claude.messages.create({ ...hello(), max_tokens: 100 });
  expect(
    exporter
      .getFinishedSpans()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(["anthropic.messages.create", "messages"]);
});

test("two of the same kind make one span, and one of two providers can go alone", async () => {
  const first = keep(new OpenAIInstrumentation());
  keep(new OpenAIInstrumentation());
  const anthropic = keep(new AnthropicInstrumentation());
  const claude = new Anthropic({ baseURL: provider.url, apiKey: "none" });
  const both = () => Promise.all([chat(), claude.messages.create({ ...hello(), max_tokens: 100 })]);
  expect((await telemetry.during(both)).calls).toHaveLength(2);
  first.disable();
  anthropic.disable();
  const { calls, others } = await telemetry.during(both);
  expect(calls.map(({ name }) => name)).toEqual(["chat"]);
  expect(others.map(({ name }) => name)).toContain("anthropic.messages.create");
});

test("undo gives the SDK's own spans back, also to clients that were made meanwhile", async () => {
  const untouched = Object.getOwnPropertyNames(trace.getTracerProvider());
  const before = new Anthropic({ baseURL: provider.url, apiKey: "none" });
  const instrumentation = keep(new AnthropicInstrumentation());
  instrumentation.setTracerProvider(trace.getTracerProvider());
  const during = new Anthropic({ baseURL: provider.url, apiKey: "none" });
  instrumentation.disable();
  expect(Object.getOwnPropertyNames(trace.getTracerProvider())).toEqual(untouched);
  for (const claude of [before, during]) {
    const { calls, others } = await telemetry.during(() => claude.messages.create({ ...hello(), max_tokens: 100 }));
    expect(calls).toEqual([]);
    expect(others.map(({ name }) => name)).toEqual(["anthropic.messages.create", "work"]);
  }
});

test("other calls go through untouched: a Request keeps its body, a stream is not read", async () => {
  keep(new OpenAIInstrumentation());
  const request = new Request(`${provider.url}/elsewhere`, { method: "POST", body: "plain" });
  const body = new ReadableStream({ start: (c) => (c.enqueue(new TextEncoder().encode("streamed")), c.close()) });
  const { calls } = await telemetry.during(async () => {
    await (await fetch(request)).text();
    await (await fetch(`${provider.url}/elsewhere`, { method: "POST", body, duplex: "half" } as RequestInit)).text();
    await (await fetch("data:,x")).text();
    await expect(fetch("no url")).rejects.toThrow(TypeError);
  });
  expect(calls).toEqual([]);
  const bodies = provider.log.filter((entry) => entry.event === "request" && entry.path === "/elsewhere");
  expect(bodies.map((entry) => entry.event === "request" && entry.text)).toEqual(["plain", "streamed"]);
});

test("a chat sent as a Request is seen", async () => {
  keep(new OpenAIInstrumentation());
  const headers = { "content-type": "application/json" };
  const request = new Request(`${provider.url}/v1/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify(hello()),
  });
  const { calls } = await telemetry.during(async () => (await fetch(request)).json());
  expect(calls.map(said)).toEqual(["LLM chat OK"]);
  expect(calls[0]?.attributes["llm.input_messages.0.message.content"]).toMatch(/^I am EMAIL_/);
});

test("a stream that nobody reads has its span ended once nobody can", { timeout: 30_000 }, async () => {
  keep(new OpenAIInstrumentation());
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await telemetry.during(async () => {
    await client().chat.completions.create({ ...hello("scn-stream-slow"), stream: true });
  });
  // when what is collected is told of is the engine's affair
  for (let n = 0; n < 1000 && telemetry.exporter.getFinishedSpans().length < 2; n++) {
    collect();
    await sleep(20);
  }
  expect(telemetry.exporter.getFinishedSpans().map(({ name }) => name)).toEqual(["work", "chat"]);
});

test("span limits cut the view's end, never what says that the run does not replay", async () => {
  keep(new OpenAIInstrumentation());
  const messages = Array.from({ length: 40 }, (_, n) => ({ role: "user" as const, content: `${n}` }));
  const { calls } = await telemetry.during(() => client().chat.completions.create({ model: "scn-ok", messages }));
  expect(calls[0]?.droppedAttributesCount).toBeGreaterThan(0);
  expect(calls[0]?.attributes).toMatchObject({ "reenact.replayable": false, "openinference.span.kind": "LLM" });
});

test("a tracer that throws never reaches the agent", async () => {
  const instrumentation = keep(new OpenAIInstrumentation());
  instrumentation.setTracerProvider({
    getTracer() {
      throw new Error("broken");
    },
  });
  expect(await client().chat.completions.create(hello())).toMatchObject({ object: "chat.completion" });
});
