import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { scanJson } from "./json.ts";
import { type ScannedSpan, scanTraces } from "./scan-traces.ts";
import { spanMeaning } from "./span-meaning.ts";
import { WireWriter } from "./wire-writer.ts";

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
provider
  .getTracer("first", "1.0.0", { schemaUrl: "https://schema.example/1" })
  .startSpan("ü", {
    kind: SpanKind.CLIENT,
    attributes: {
      text: "ï\u0000",
      whole: -7,
      large: 2 ** 52,
      half: 0.5,
      no: false,
      list: ["a", ""],
      empty: "",
      zero: 0,
    },
    links: [{ context: { traceId: "f".repeat(32), spanId: "e".repeat(16), traceFlags: 1 }, attributes: { why: "x" } }],
  })
  .addEvent("event", { n: 1 })
  .setStatus({ code: SpanStatusCode.ERROR, message: "failed" })
  .end();
provider.getTracer("plain").startSpan("nothing set").end();
const spans = exporter.getFinishedSpans();

const protobuf = scanTraces(ProtobufTraceSerializer.serializeRequest(spans)!);
const text = Buffer.from(JsonTraceSerializer.serializeRequest(spans)!).toString();
const byId = (a: ScannedSpan, b: ScannedSpan) => (a.spanId < b.spanId ? -1 : 1);
const meanings = (all: readonly ScannedSpan[]) => all.toSorted(byId).map(spanMeaning);

test("the SDK's protobuf and its JSON say the same", () => {
  const json = scanJson(JSON.parse(text));
  expect(meanings(json)).toEqual(meanings(protobuf));
  expect(new Set(meanings(json)).size).toBe(spans.length);
  expect(meanings(json)).not.toContain(null);
});

const attribute = (key: string, value: object = { stringValue: key }) => ({ key, value });
const map = (...keys: string[]) => [attribute("map", { kvlistValue: { values: keys.map((key) => attribute(key)) } })];
const plain = { traceId: "a".repeat(32), spanId: "b".repeat(16), name: "n", startTimeUnixNano: "5" };
function meaningOf(span: object, above: { resource?: object; scope?: object; schemaUrl?: string } = {}): string | null {
  const { resource = {}, scope = {}, schemaUrl = "" } = above;
  const document = {
    resourceSpans: [{ resource, schemaUrl, scopeSpans: [{ scope, spans: [{ ...plain, ...span }] }] }],
  };
  return spanMeaning(scanJson(document)[0]!);
}

test.each<[string, object, object]>([
  [
    "the order of attributes",
    { attributes: ["a", "b"].map((k) => attribute(k)) },
    { attributes: ["b", "a"].map((k) => attribute(k)) },
  ],
  ["zero, and no number", { kind: 0, droppedEventsCount: 0, flags: 0 }, {}],
  ["an empty text, and none", { traceState: "" }, {}],
  ["a status that is not set", { status: { code: 0 } }, {}],
  ["digits in capitals", { spanId: "B".repeat(16) }, {}],
])("equal: %s", (_, one, other) => {
  expect(meaningOf(one)).toBe(meaningOf(other));
});

test.each<[string, object, object]>([
  ["a text", { name: "m" }, {}],
  ["an end", { endTimeUnixNano: "6" }, {}],
  ["a status", { status: { code: 1 } }, {}],
  ["an attribute more", { attributes: [attribute("a")] }, { attributes: [attribute("a"), attribute("b")] }],
  [
    "one and the number one",
    { attributes: [attribute("a", { intValue: 1 })] },
    { attributes: [attribute("a", { doubleValue: 1 })] },
  ],
  [
    "zero and minus zero",
    { attributes: [attribute("a", { doubleValue: 0 })] },
    { attributes: [attribute("a", { doubleValue: "-0" })] },
  ],
  [
    "an empty text and no value",
    { attributes: [attribute("a", { stringValue: "" })] },
    { attributes: [attribute("a", {})] },
  ],
  ["false and no value", { attributes: [attribute("a", { boolValue: false })] }, { attributes: [attribute("a", {})] }],
  [
    "text and bytes",
    { attributes: [attribute("a", { stringValue: "x" })] },
    { attributes: [attribute("a", { bytesValue: "eA==" })] },
  ],
  [
    "the order of a list",
    { links: [{ spanId: "aa" }, { spanId: "bb" }] },
    { links: [{ spanId: "bb" }, { spanId: "aa" }] },
  ],
  ["the order within a map", { attributes: map("a", "b") }, { attributes: map("b", "a") }],
  [
    "the order of attributes of one key",
    { attributes: [attribute("a"), attribute("a", { intValue: 1 })] },
    { attributes: [attribute("a", { intValue: 1 }), attribute("a")] },
  ],
])("different: %s", (_, one, other) => {
  expect(meaningOf(one)).not.toBe(meaningOf(other));
  expect([meaningOf(one), meaningOf(other)]).not.toContain(null);
});

test("what a span stands under is a part of it", () => {
  const all = [
    meaningOf({}),
    meaningOf({}, { resource: { attributes: [attribute("a")] } }),
    meaningOf({}, { scope: { attributes: [attribute("a")] } }),
    meaningOf({}, { scope: { name: "a" } }),
    meaningOf({}, { schemaUrl: "a" }),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test("known by its bytes alone: a field of a later OTLP, one told twice, a value of two kinds, another wire type", () => {
  const [good] = scanTraces(ProtobufTraceSerializer.serializeRequest(spans.slice(0, 1))!);
  const and = (more: WireWriter): ScannedSpan => ({ ...good!, span: Buffer.concat([good!.span, more.finish()]) });
  const value = new WireWriter().string(1, "x").varint(3, 1);
  expect(spanMeaning(good!)).not.toBeNull();
  for (const more of [
    new WireWriter().varint(99, 1),
    new WireWriter().string(5, "another name"),
    new WireWriter().message(9, new WireWriter().string(1, "k").message(2, value)),
    new WireWriter().varint(9, 1),
  ])
    expect(spanMeaning(and(more))).toBeNull();
});
