import { ROOT_CONTEXT, type SpanContext, trace } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { EndedSpan } from "@reenact/capture/recorder";
import { decodeResource, decodeScope, decodeSpan, scanTraces } from "@reenact/envelope";
import { expect, test } from "vitest";
import { encodeEndedSpan } from "./encode-ended-span.ts";

const run = "ab".repeat(16);
const failed: EndedSpan = {
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
const root: EndedSpan = { ...failed, parentSpanId: null, client: false, ok: true, message: "", events: [], link: null };
const resource = { "service.name": "svc", "service.instance.id": "i" };
const scope = { name: "@reenact/node", version: "9.9.9" };

const first = (bytes: Uint8Array) => scanTraces(bytes)[0] as ReturnType<typeof scanTraces>[number];

async function serializedBySdk(ended: EndedSpan): Promise<Uint8Array> {
  const memory = new InMemorySpanExporter();
  const sdk = new TracerProvider({
    resource: resourceFromAttributes(resource),
    spanProcessors: [new SimpleSpanProcessor({ exporter: memory })],
    idGenerator: { generateTraceId: () => ended.traceId, generateSpanId: () => ended.spanId },
  });
  const parent: SpanContext = { traceId: run, spanId: ended.parentSpanId ?? "", traceFlags: 1 };
  const links = ended.link === null ? [] : [{ context: { ...ended.link, traceFlags: 1 } }];
  const span = sdk
    .getTracer(scope.name, scope.version)
    .startSpan(
      ended.name,
      { kind: ended.client ? 2 : 0, startTime: ended.started, links },
      ended.parentSpanId === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
  for (const [key, value] of ended.attributes) span.setAttribute(key, value);
  for (const { name, attributes, time } of ended.events) span.addEvent(name, attributes, time);
  span.setStatus(ended.ok ? { code: 1 } : { code: 2, message: ended.message });
  span.end(ended.ended);
  await sdk.forceFlush();
  return ProtobufTraceSerializer.serializeRequest(memory.getFinishedSpans()) as Uint8Array;
}

test.each([
  ["a failed step", failed],
  ["a root", root],
])("the encoding of %s means what the OpenTelemetry SDK and its serializer would have written", async (_, ended) => {
  const theirs = first(await serializedBySdk(ended));
  const ours = first(encodeEndedSpan(ended, { resource, scope }));
  expect(decodeSpan(ours.span)).toEqual(decodeSpan(theirs.span));
  expect(Object.keys(decodeSpan(ours.span).attributes)).toEqual(ended.attributes.map(([key]) => key));
  expect(decodeResource(ours.resource)).toEqual(decodeResource(theirs.resource));
  expect(decodeScope(ours.scope)).toEqual(decodeScope(theirs.scope));
});

test("a span that ends before it starts, by a clock that was set back, ends when it starts", () => {
  const { startUnixNano, endUnixNano } = decodeSpan(
    first(encodeEndedSpan({ ...root, ended: root.started - 5 }, { resource, scope })).span,
  );
  expect(endUnixNano).toBe(startUnixNano);
});
