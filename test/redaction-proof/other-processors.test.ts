import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import { OpenAIInstrumentation } from "@arizeai/openinference-instrumentation-openai";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { NodeSDK } from "@opentelemetry/sdk-node";
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type Span,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { createScrubber, redactingExporter, RedactionProcessor } from "@reenact/redaction";
import OpenAI from "openai";
import { expect, test } from "vitest";

const scrubber = createScrubber({ key: Buffer.alloc(32, 4) });
const MAIL = "alice.plant@example.com";

/** All text that an exporter could write of a span. */
function texts(spans: readonly ReadableSpan[]): string {
  return JSON.stringify(
    spans.map((s) => [
      s.name,
      s.attributes,
      s.events,
      s.links,
      s.status,
      s.resource.attributes,
      s.resource.getRawAttributes(),
      s.instrumentationScope,
      s.spanContext().traceState?.serialize(),
      s.parentSpanContext?.traceState?.serialize(),
    ]),
  );
}

/** Adds raw text while spans end, as some processors do. */
const chatty: SpanProcessor = {
  onStart: (span: Span) => void span.setAttribute("started.by", MAIL),
  onEnding(span: Span) {
    span.setAttribute("late.one", MAIL);
    span.setAttributes({ "late.many": [MAIL], "http.request.header.authorization": "Bearer abc" });
    span.addEvent(`late ${MAIL}`, { who: MAIL });
    span.addLink({ context: span.spanContext(), attributes: { who: MAIL } });
    span.updateName(`late ${MAIL}`);
    span.recordException(new Error(`late ${MAIL}`));
  },
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};

const state = {
  serialize: () => `v=${MAIL}`,
  get: () => MAIL,
  set: () => state,
  unset: () => state,
};

function useSpans(provider: Pick<TracerProvider, "getTracer">): void {
  const tracer = provider.getTracer(`scope of ${MAIL}`, "1.0");
  const parent = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1, traceState: state };
  const span = tracer.startSpan(
    `ask ${MAIL}`,
    {
      attributes: {
        text: MAIL,
        list: [MAIL, "b"],
        "input.value": JSON.stringify({ inner: JSON.stringify({ to: MAIL, password: "hunter2" }) }),
        "input.mime_type": "application/json",
        n: 4,
      },
      links: [{ context: parent, attributes: { who: MAIL } }],
    },
    trace.setSpanContext(ROOT_CONTEXT, parent),
  );
  span.addEvent(`event ${MAIL}`, { who: MAIL });
  span.recordException(new Error(`no ${MAIL}`));
  span.setStatus({ code: SpanStatusCode.ERROR, message: `failed for ${MAIL}` });
  span.end();
  const fine = tracer.startSpan("fine");
  fine.setStatus({ code: SpanStatusCode.OK, message: `thanks to ${MAIL}` });
  fine.end();
}

const ORDERS = ["first", "between", "last"] as const;

test.each(ORDERS)("the redaction stands %s among processors: every exporter sees redacted spans", async (order) => {
  const simple = new InMemorySpanExporter();
  const batched = new InMemorySpanExporter();
  const ours = new RedactionProcessor({ scrubber });
  const others = [new SimpleSpanProcessor({ exporter: simple }), new BatchSpanProcessor({ exporter: batched })];
  const at = { first: 0, between: 1, last: 2 }[order];
  const spanProcessors: SpanProcessor[] = [...others.slice(0, at), ours, ...others.slice(at), chatty];
  const resource = resourceFromAttributes({
    "process.command_args": ["node", `--mail=${MAIL}`],
    "service.name": "svc",
    late: Promise.resolve(MAIL) as never,
  });
  const provider = new TracerProvider({ spanProcessors, resource });
  useSpans(provider);
  await provider.forceFlush();
  for (const exporter of [simple, batched]) {
    const spans = exporter.getFinishedSpans();
    expect(spans).toHaveLength(2);
    await spans[0]?.resource.waitForAsyncAttributes?.();
    expect(texts(spans)).not.toContain("plant@");
    expect(texts(spans)).not.toContain("hunter2");
    expect(texts(spans)).not.toContain("Bearer abc");
    expect(spans[0]?.attributes["n"]).toBe(4);
    expect(spans[0]?.resource.attributes["service.name"]).toBe("svc");
    // exporters group by it
    expect(spans[0]?.resource).toBe(spans[1]?.resource);
  }
  await provider.shutdown();
});

test("an exporter behind fence 2 is safe without the processor, and from processors that change ended spans", async () => {
  const exporter = new InMemorySpanExporter();
  const careless: SpanProcessor = {
    ...chatty,
    onEnd: (span: ReadableSpan) => void ((span.attributes as Record<string, unknown>)["ended"] = MAIL),
  };
  const provider = new TracerProvider({
    spanProcessors: [careless, new SimpleSpanProcessor({ exporter: redactingExporter(exporter, scrubber) })],
    resource: resourceFromAttributes({ owner: MAIL }),
  });
  useSpans(provider);
  expect(exporter.getFinishedSpans()).toHaveLength(2);
  expect(texts(exporter.getFinishedSpans())).not.toContain("plant@");
  await provider.shutdown();
});

test("the spans of another instrumentation in a NodeSDK", async () => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        id: "chatcmpl-1",
        model: "gpt",
        choices: [{ index: 0, message: { role: "assistant", content: `I wrote to ${MAIL}` }, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const exporter = new InMemorySpanExporter();
  const sdk = new NodeSDK({
    spanProcessors: [new SimpleSpanProcessor({ exporter }), new RedactionProcessor({ scrubber })],
    resourceDetectors: [],
  });
  sdk.start();
  const instrumentation = new OpenAIInstrumentation();
  instrumentation.setTracerProvider(trace.getTracerProvider());
  instrumentation.manuallyInstrument(OpenAI);
  const client = new OpenAI({
    apiKey: "sk-x",
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    maxRetries: 0,
  });
  const answer = await client.chat.completions.create({
    model: "gpt",
    messages: [{ role: "user", content: `write to ${MAIL}` }],
  });
  // the agent's own answer is untouched
  expect(answer.choices[0]?.message.content).toBe(`I wrote to ${MAIL}`);
  const spans = exporter.getFinishedSpans();
  expect(spans).toHaveLength(1);
  expect(spans[0]?.attributes["output.value"]).toMatch(/I wrote to EMAIL_/);
  expect(texts(spans)).not.toContain("plant@");
  await sdk.shutdown();
  await new Promise((resolve) => server.close(resolve));
});
