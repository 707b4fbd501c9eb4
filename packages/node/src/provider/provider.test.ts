import { ROOT_CONTEXT, type SpanContext, trace } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  InMemorySpanExporter,
  type SpanProcessor,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { EndedSpan } from "@reenact/capture";
import { decodeResource, decodeScope, decodeSpan, scanTraces } from "@reenact/envelope";
import { createScrubber } from "@reenact/redaction";
import { expect, test } from "vitest";
import { createProvider } from "./provider.ts";

const run = "ab".repeat(16);
const ended: EndedSpan = {
  run,
  traceId: run,
  spanId: "1122334455667788",
  parentSpanId: "8877665544332211",
  name: "chat",
  client: true,
  started: 1_700_000_000_000.25,
  ended: 1_700_000_001_234.5,
  ok: false,
  message: "no",
  attributes: [
    ["reenact.schema", 1],
    ["reenact.run.id", run],
    ["reenact.record", '{"v":1}'],
    ["numbers", [1, 2.5]],
    ["texts", ["a", "é"]],
    ["yes", true],
    ["temperature", 0.7],
  ],
  events: [{ name: "e", time: 1_700_000_000_500, attributes: { k: "v" } }],
  link: { traceId: "cd".repeat(16), spanId: "aabbccddeeff0011" },
};
const resource = { "service.name": "svc", "service.instance.id": "i" };
const scope = { name: "@reenact/node", version: "9.9.9" };
const scrubber = () => createScrubber({ key: Buffer.alloc(32, 7) });

function written(span: EndedSpan, spanProcessors: SpanProcessor[] = []): Uint8Array {
  const out: Uint8Array[] = [];
  createProvider({
    scrubber: scrubber(),
    resource,
    scope,
    spanProcessors,
    write: (_, bytes) => void out.push(bytes),
  }).end(span);
  expect(out.length).toBe(1);
  return out[0] as Uint8Array;
}

const first = (bytes: Uint8Array) => scanTraces(bytes)[0] as ReturnType<typeof scanTraces>[number];

test("what it writes means what the OpenTelemetry SDK and its serializer would have written", async () => {
  const memory = new InMemorySpanExporter();
  const sdk = new TracerProvider({
    resource: resourceFromAttributes(resource),
    spanProcessors: [new SimpleSpanProcessor({ exporter: memory })],
    idGenerator: { generateTraceId: () => ended.traceId, generateSpanId: () => ended.spanId },
  });
  const parent: SpanContext = { traceId: run, spanId: ended.parentSpanId as string, traceFlags: 1 };
  const span = sdk.getTracer(scope.name, scope.version).startSpan(
    ended.name,
    {
      kind: 2,
      startTime: ended.started,
      links: [{ context: { ...(ended.link as { traceId: string; spanId: string }), traceFlags: 1 } }],
    },
    trace.setSpanContext(ROOT_CONTEXT, parent),
  );
  for (const [key, value] of ended.attributes) span.setAttribute(key, value);
  for (const { name, attributes, time } of ended.events) span.addEvent(name, attributes, time);
  span.setStatus({ code: 2, message: ended.message });
  span.end(ended.ended);
  await sdk.forceFlush();
  const theirs = first(ProtobufTraceSerializer.serializeRequest(memory.getFinishedSpans()) as Uint8Array);
  const ours = first(written(ended));
  expect(decodeSpan(ours.span)).toEqual(decodeSpan(theirs.span));
  expect(Object.keys(decodeSpan(ours.span).attributes)).toEqual(ended.attributes.map(([key]) => key));
  expect(decodeResource(ours.resource)).toEqual(decodeResource(theirs.resource));
  expect(decodeScope(ours.scope)).toEqual(decodeScope(theirs.scope));
});

test("what a processor adds late is redacted, what fence 0 made is kept as it is", () => {
  const planted = "mail bob@example.com now";
  const vouched: EndedSpan = { ...ended, attributes: [...ended.attributes, ["made.by.fence.0", planted]] };
  const late: SpanProcessor = {
    onStart: () => {},
    onEnding: (span) => void span.setAttribute("late", `${planted}!`),
    onEnd: (span) => void (span.attributes["later"] = "carol@example.com"),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const { attributes } = decodeSpan(first(written(vouched, [late])).span);
  expect(attributes["made.by.fence.0"]).toBe(planted);
  expect(attributes["late"]).toMatch(/^mail EMAIL_[a-z]{4}_[a-z]{16} now!$/);
  expect(attributes["later"]).toMatch(/^EMAIL_[a-z]{4}_[a-z]{16}$/);
});

test("the name of a span is scanned", () => {
  expect(decodeSpan(first(written({ ...ended, name: "dan@example.com" })).span).name).toMatch(/^EMAIL_/);
});
