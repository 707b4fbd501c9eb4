import Anthropic from "@anthropic-ai/sdk";
import type { Span } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { AnthropicInstrumentation } from "@reenact/instrumentation-anthropic";
import { OpenAIInstrumentation } from "@reenact/instrumentation-openai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Provider } from "../../examples/scripted-provider/provider.ts";
import { checkOpenInference } from "../contracts/openinference.ts";
import { startProvider } from "../provider/start-provider.ts";
import { said, startTelemetry, type OwnTelemetry, type Seen } from "./own-telemetry.ts";

const EMAIL = "jane.roe@customer.example";
const KEY = `sk-proj-${"Ab3dE6gH9".repeat(6)}`;
const PLANTED = `write to ${EMAIL}, the key is ${KEY}`;

const nativeFetch = globalThis.fetch;
const openaiInstrumentation = new OpenAIInstrumentation();
const anthropicInstrumentation = new AnthropicInstrumentation();
let provider: Provider;
let telemetry: OwnTelemetry;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  provider = await startProvider();
  telemetry = startTelemetry([openaiInstrumentation, anthropicInstrumentation]);
  openai = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: KEY });
  anthropic = new Anthropic({ baseURL: provider.url, apiKey: KEY });
});

afterAll(async () => {
  openaiInstrumentation.disable();
  anthropicInstrumentation.disable();
  expect(globalThis.fetch).toBe(nativeFetch);
  await telemetry.stop();
  await provider.stop();
});

/** What holds for every span of every call, whatever became of it. */
function during(work: (span: Span) => Promise<unknown>): Promise<Seen> {
  return telemetry.during(work).then((seen) => {
    for (const call of seen.calls) {
      expect(call.parentSpanContext?.spanId).toBe(seen.workId);
      expect(call.ended).toBe(true);
      expect(call.attributes["reenact.replayable"]).toBe(false);
      expect(checkOpenInference({ ...call.attributes })).toEqual([]);
      expect(call.endTime[0] * 1e9 + call.endTime[1]).toBeGreaterThanOrEqual(
        call.startTime[0] * 1e9 + call.startTime[1],
      );
    }
    expect(textOf([...seen.calls, ...seen.others])).not.toMatch(/jane\.roe|Ab3dE6gH9/);
    return seen;
  });
}

/** Milliseconds since the epoch. */
const startOf = ({ startTime: [seconds, nanoseconds] }: ReadableSpan): number => seconds * 1e3 + nanoseconds / 1e6;

/** Everything of the spans that an exporter could send. */
function textOf(spans: readonly ReadableSpan[]): string {
  return JSON.stringify(
    spans.map(({ name, attributes, events, links, status, resource, instrumentationScope }) => {
      return { name, attributes, events, links, status, resource: resource.attributes, instrumentationScope };
    }),
  );
}

const hello = (model: string, content = PLANTED) => ({ model, messages: [{ role: "user" as const, content }] });
const toAnthropic = (model: string, content = PLANTED) => ({ ...hello(model, content), max_tokens: 200 });
const schema = { type: "object" as const, properties: { city: { type: "string" } } };
const functions = ["weather", "population"].map((name) => {
  return { type: "function" as const, function: { name, parameters: schema } };
});
const tools = ["weather", "population"].map((name) => ({ name, input_schema: schema }));

async function readAll(stream: AsyncIterable<unknown>, limit = Infinity): Promise<number> {
  let count = 0;
  for await (const _ of stream) if (++count === limit) break;
  return count;
}

/** The class of what it throws. */
async function failure(work: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    return (error as Error).constructor;
  }
}

describe("openai", () => {
  test("a chat is one span with the redacted view", async () => {
    const { calls, others } = await during(() => openai.chat.completions.create(hello("scn-ok")));
    expect(calls.map(said)).toEqual(["LLM chat OK"]);
    expect(calls[0]?.attributes).toMatchObject({
      "gen_ai.request.model": "scn-ok",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": expect.stringMatching(/^write to \S+, the key is \S+$/) as unknown,
      "llm.output_messages.0.message.content": expect.stringContaining("You said: write to") as unknown,
      "llm.token_count.total": expect.any(Number) as unknown,
      "gen_ai.operation.name": "chat",
    });
    expect(Object.keys(calls[0]?.attributes ?? {}).filter((key) => key.startsWith("reenact."))).toEqual([
      "reenact.replayable",
      "reenact.kind",
    ]);
    expect(others.map(({ name, attributes }) => [name, attributes])).toEqual([["work", { "app.step": 1 }]]);
  });

  test("a stream is shown as the message it adds up to", async () => {
    const { calls } = await during(async () => {
      const options = { stream: true, stream_options: { include_usage: true } } as const;
      expect(await readAll(await openai.chat.completions.create({ ...hello("scn-ok"), ...options }))).toBeGreaterThan(
        3,
      );
      await openai.responses.stream({ model: "scn-ok", input: PLANTED }).finalResponse();
    });
    expect(calls.map(said)).toEqual(["LLM chat OK", "LLM responses OK"]);
    for (const { attributes } of calls) {
      expect(attributes["llm.output_messages.0.message.content"]).toContain("You said: write to");
      expect(attributes["llm.token_count.total"]).toBeGreaterThan(0);
    }
  });

  test("parallel tool calls stand by their index", async () => {
    const { calls } = await during(async () => {
      await openai.chat.completions.create({ ...hello("scn-tools"), tools: functions });
      await readAll(await openai.chat.completions.create({ ...hello("scn-tools"), tools: functions, stream: true }));
    });
    for (const { attributes } of calls) {
      const names = [0, 1, 2].map(
        (n) => attributes[`llm.output_messages.0.message.tool_calls.${n}.tool_call.function.name`],
      );
      expect(names).toEqual(["weather", "weather", "population"]);
      expect(attributes["llm.tools.1.tool.json_schema"]).toContain("population");
    }
    expect(calls).toHaveLength(2);
  });

  test("what the provider refuses is an error, with its words", async () => {
    const { calls } = await during(async () => {
      expect(await failure(() => openai.chat.completions.create(hello("scn-400")))).toBe(OpenAI.BadRequestError);
    });
    expect(calls.map(said)).toEqual(["LLM chat ERROR"]);
    expect(calls[0]?.status.message).toBe("that is no request");
  });

  test("each try of a retried call is a span", async () => {
    const { calls } = await during(() => openai.chat.completions.create(hello("scn-429-then-ok")));
    expect(calls.map(said)).toEqual(["LLM chat ERROR", "LLM chat OK"]);
    expect(calls[0]?.status.message).toBe("slow down");
  });

  test("a reset connection, a cut stream and an error event are errors", async () => {
    const once = { maxRetries: 0 };
    const { calls } = await during(async () => {
      expect(await failure(() => openai.chat.completions.create(hello("scn-reset"), once))).toBe(
        OpenAI.APIConnectionError,
      );
      for (const model of ["scn-cut", "scn-error-event"]) {
        const stream = await openai.chat.completions.create({ ...hello(model), stream: true }, once);
        expect(await failure(() => readAll(stream))).not.toBeNull();
      }
    });
    expect(calls.map(said)).toEqual(["LLM chat ERROR", "LLM chat ERROR", "LLM chat ERROR"]);
    expect(calls[0]?.status.message).not.toBe("");
    expect(calls[1]?.attributes["llm.output_messages.0.message.content"]).toContain("You said");
  });

  test("what is given up before an answer is neither success nor error, what is broken off is a success", async () => {
    const abort = new AbortController();
    const { calls } = await during(async () => {
      setTimeout(() => abort.abort(), 30);
      const aborted = failure(() => openai.chat.completions.create(hello("scn-slow"), { signal: abort.signal }));
      expect(await aborted).toBe(OpenAI.APIUserAbortError);
      const late = failure(() => openai.chat.completions.create(hello("scn-slow"), { timeout: 30, maxRetries: 0 }));
      expect(await late).toBe(OpenAI.APIConnectionTimeoutError);
      expect(
        await readAll(await openai.chat.completions.create({ ...hello("scn-stream-slow"), stream: true }), 3),
      ).toBe(3);
    });
    expect(calls.map(said)).toEqual(["LLM chat UNSET", "LLM chat UNSET", "LLM chat OK"]);
    expect(calls[2]?.attributes["llm.output_messages.0.message.content"]).toMatch(/^more /);
    expect(provider.log.filter((entry) => entry.event === "end").at(-1)).toMatchObject({ how: "cancelled" });
  });

  test("embeddings, and sound by type and size", async () => {
    const { calls } = await during(async () => {
      await openai.embeddings.create({ model: "scn-embed", input: [PLANTED, "two"] });
      const sound = await openai.audio.speech.create({ model: "scn-voice", voice: "ash", input: PLANTED });
      await sound.arrayBuffer();
    });
    expect(calls.map(said)).toEqual(["EMBEDDING embeddings OK", "LLM audio.speech OK"]);
    expect(calls[0]?.attributes["embedding.embeddings.1.embedding.text"]).toBe("two");
    expect(calls[1]?.attributes).toMatchObject({
      "llm.output_messages.0.message.contents.0.message_content.type": "audio",
      "llm.output_messages.0.message.contents.0.message_content.text": expect.stringMatching(
        /^\[audio\/\w+, 60\d\d bytes\]$/,
      ) as unknown,
    });
  });

  test("an answer of any size has its span ended before the caller goes on", async () => {
    const { calls } = await during(() => openai.chat.completions.create(hello("scn-big")));
    expect(calls.map(said)).toEqual(["LLM chat OK"]);
    expect(String(calls[0]?.attributes["output.value"]).length).toBeGreaterThan(100_000);
  });

  test("calls that overlap each have the span that was active where they were made", async () => {
    const { calls } = await during(async () => {
      await Promise.all([1, 2, 3, 4].map((n) => openai.chat.completions.create(hello("echo-random", `number ${n}`))));
    });
    expect(calls.map((call) => call.attributes["llm.input_messages.0.message.content"]).toSorted()).toEqual(
      [1, 2, 3, 4].map((n) => `number ${n}`),
    );
  });
});

describe("anthropic", () => {
  test("a message is one span: the SDK's own is withheld", async () => {
    const { calls, others, workId } = await during(() => anthropic.messages.create(toAnthropic("scn-ok")));
    expect(calls.map(said)).toEqual(["LLM messages OK"]);
    const sent = provider.log.findLast((entry) => entry.event === "request");
    const traceId = calls[0]?.spanContext().traceId;
    expect(sent?.event === "request" && sent.headers).toContain(`00-${traceId}-${workId}-01`);
    expect(others.map(({ name }) => name)).toEqual(["work"]);
    expect(calls[0]?.attributes).toMatchObject({ "llm.system": "anthropic", "gen_ai.request.model": "scn-ok" });
  });

  test("stream, helper, parallel tool calls", async () => {
    const { calls, others } = await during(async () => {
      await readAll(await anthropic.messages.create({ ...toAnthropic("scn-thinking"), stream: true }));
      await anthropic.messages.stream({ ...toAnthropic("scn-thinking-tools"), tools }).finalMessage();
      await anthropic.messages.countTokens(hello("scn-ok"));
    });
    expect(calls.map(said)).toEqual(["LLM messages OK", "LLM messages OK", "CHAIN count_tokens OK"]);
    const names = [0, 1, 2].map(
      (n) => calls[1]?.attributes[`llm.output_messages.0.message.tool_calls.${n}.tool_call.function.name`],
    );
    expect(names).toEqual(["weather", "weather", "population"]);
    expect(others.map(({ name }) => name)).toEqual(["work"]);
  });

  test("error, retry, abort, early break, cut", async () => {
    const { calls, others } = await during(async () => {
      expect(await failure(() => anthropic.messages.create(toAnthropic("scn-400")))).toBe(Anthropic.BadRequestError);
      await anthropic.messages.create(toAnthropic("scn-429-then-ok"));
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 30);
      expect(await failure(() => anthropic.messages.create(toAnthropic("scn-slow"), { signal: abort.signal }))).toBe(
        Anthropic.APIUserAbortError,
      );
      await readAll(await anthropic.messages.create({ ...toAnthropic("scn-stream-slow"), stream: true }), 5);
      const cut = await anthropic.messages.create({ ...toAnthropic("scn-cut"), stream: true });
      expect(await failure(() => readAll(cut))).not.toBeNull();
    });
    const states = ["ERROR", "ERROR", "OK", "UNSET", "OK", "ERROR"];
    // an attempt that failed may end behind its retry: with its answer's body
    const started = calls.toSorted((a, b) => startOf(a) - startOf(b));
    expect(started.map(said)).toEqual(states.map((state) => `LLM messages ${state}`));
    expect(others.map(({ name }) => name)).toEqual(["work"]);
  });

  test("a call that is not seen keeps the SDK's own span, with parent, times and facts", async () => {
    const unseen = new Anthropic({
      baseURL: provider.url,
      apiKey: KEY,
      fetch: (input, init) => nativeFetch(input, init),
    });
    const { calls, others, workId } = await during(() => unseen.messages.create(toAnthropic("scn-ok")));
    expect(calls).toEqual([]);
    const own = others.find(({ name }) => name === "anthropic.messages.create");
    expect(own?.parentSpanContext?.spanId).toBe(workId);
    expect(own?.attributes).toMatchObject({ "gen_ai.request.model": "scn-ok", "http.response.status_code": 200 });
    expect(own?.duration).not.toEqual([0, 0]);
  });

  test("a provider that the client was given is left alone", async () => {
    const mine = startMine();
    const client = new Anthropic({
      baseURL: provider.url,
      apiKey: KEY,
      openTelemetry: { tracerProvider: mine.provider },
    });
    const seen = await telemetry.during(() => client.messages.create(toAnthropic("scn-ok")));
    expect(seen.calls.map(said)).toEqual(["LLM messages OK"]);
    expect(mine.names()).toEqual(["anthropic.messages.create"]);
  });
});

/** A tracer provider apart from the global one. */
function startMine() {
  const exporter = new InMemorySpanExporter();
  const own = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  return { provider: own, names: () => exporter.getFinishedSpans().map(({ name }) => name) };
}
