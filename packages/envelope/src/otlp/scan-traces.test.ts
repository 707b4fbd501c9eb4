import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EnvelopeError } from "../envelope-error.ts";
import { contentDigest, joinTraces } from "./join-traces.ts";
import { otlpJson, scanJson } from "./json.ts";
import { decodeResource, decodeScope, encodeResource, encodeScope } from "./resource.ts";
import { type ScannedSpan, scanTraces, scanWhatIsThere } from "./scan-traces.ts";
import { decodeSpan, encodeSpan, type OtlpSpan } from "./span.ts";

/** Spans made by the real SDK, and their bytes by its own serializer: the oracle. */
function sdkSpans(): { spans: ReadableSpan[]; bytes: Uint8Array } {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  for (const [name, version] of [
    ["first", "1.0.0"],
    ["second", ""],
  ] as const) {
    const tracer = provider.getTracer(name, version, { schemaUrl: name === "first" ? "https://schema.example/1" : "" });
    for (let at = 0; at < 3; at++) {
      const span = tracer.startSpan(`${name} ${at} ü`, {
        kind: SpanKind.CLIENT,
        startTime: new Date(1763800000000 + at * 7),
        attributes: {
          text: "ï\u0000",
          whole: -7,
          large: 2 ** 52,
          half: 0.5,
          yes: true,
          no: false,
          list: ["a", ""],
          numbers: [1, 2.5],
          empty: "",
        },
        links: [
          { context: { traceId: "f".repeat(32), spanId: "e".repeat(16), traceFlags: 1 }, attributes: { why: "link" } },
        ],
      });
      span.addEvent("exception", { "exception.message": "boom" }, new Date(1763800000003));
      if (at === 1) span.setStatus({ code: SpanStatusCode.ERROR, message: "no" });
      span.end(new Date(1763800000100 + at));
    }
  }
  const spans = exporter.getFinishedSpans();
  return { spans, bytes: ProtobufTraceSerializer.serializeRequest(spans)! };
}

const nano = ([seconds, nanos]: readonly [number, number]) => BigInt(seconds) * 1_000_000_000n + BigInt(nanos);

describe("against the serializer of OpenTelemetry", () => {
  const { spans, bytes } = sdkSpans();
  const scanned = scanTraces(bytes);

  test("every span is found with its ids, times, resource and scope", () => {
    const ours = scanned.map((each) => [
      each.traceId,
      each.spanId,
      each.startUnixNano,
      decodeScope(each.scope).name,
      each.scopeSchemaUrl,
    ]);
    const theirs = spans.map((span) => [
      span.spanContext().traceId,
      span.spanContext().spanId,
      nano(span.startTime),
      span.instrumentationScope.name,
      span.instrumentationScope.schemaUrl ?? "",
    ]);
    expect(ours).toEqual(theirs);
    expect(decodeResource(scanned[0]!.resource)).toEqual(spans[0]!.resource.attributes);
  });

  test("decoded spans say what the SDK said", () => {
    for (const [at, theirs] of spans.entries()) {
      const span = decodeSpan(scanned[at]!.span);
      expect(span).toMatchObject({
        name: theirs.name,
        kind: 3,
        parentSpanId: null,
        attributes: theirs.attributes,
        endUnixNano: nano(theirs.endTime),
        status: { code: theirs.status.code, message: theirs.status.message ?? "" },
        events: [
          { name: "exception", attributes: { "exception.message": "boom" }, timeUnixNano: 1763800000003000000n },
        ],
        links: [{ traceId: "f".repeat(32), spanId: "e".repeat(16), attributes: { why: "link" } }],
      });
      expect(decodeSpan(encodeSpan(span))).toEqual(span);
    }
  });

  test("OTLP/JSON is what its JSON serializer writes, and reads back to the same spans", () => {
    const theirs = JSON.parse(Buffer.from(JsonTraceSerializer.serializeRequest(spans)!).toString()) as unknown;
    const names = (document: unknown) => JSON.stringify(document).match(/"name":"[^"]+"/g);
    expect(names(otlpJson(bytes))).toEqual(names(theirs));
    for (const document of [theirs, otlpJson(bytes)]) {
      const back = scanJson(document);
      expect(back.map((each) => decodeSpan(each.span))).toEqual(scanned.map((each) => decodeSpan(each.span)));
      expect(back.map((each) => decodeScope(each.scope))).toEqual(scanned.map((each) => decodeScope(each.scope)));
    }
  });

  test("joined spans keep their bytes, in one message, whatever order they come in", () => {
    const joined = joinTraces(scanned);
    expect(
      scanTraces(joined.bytes)
        .map(({ span }) => Buffer.from(span).toString("hex"))
        .toSorted(),
    ).toEqual(scanned.map(({ span }) => Buffer.from(span).toString("hex")).toSorted());
    for (const { scanned: each, offset, length } of joined.spans) {
      expect(Buffer.from(joined.bytes.subarray(offset, offset + length)).equals(each.span)).toBe(true);
    }
    for (const other of [scanned.toReversed(), [...scanned, ...scanned], scanTraces(joined.bytes)]) {
      expect(Buffer.from(joinTraces(other).bytes).equals(joined.bytes)).toBe(true);
      expect(contentDigest(other)).toBe(joined.content);
    }
    expect(contentDigest(scanned.slice(1))).not.toBe(joined.content);
  });

  test("every cut gives a named error or fewer spans, and what is whole is still there", () => {
    const found = new Set(scanned.map(({ span }) => Buffer.from(span).toString("hex")));
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.slice(0, length);
      try {
        scanTraces(cut);
      } catch (error) {
        expect(error).toMatchObject({ code: "BAD_OTLP" });
      }
      const { spans: whole } = scanWhatIsThere(cut);
      for (const { span } of whole) expect(found.has(Buffer.from(span).toString("hex"))).toBe(true);
    }
  });
});

test("random bytes give spans or a named error", () => {
  const { bytes } = sdkSpans();
  const flipped = fc
    .tuple(fc.nat(), fc.nat(255))
    .map(([at, byte]) => Uint8Array.from(bytes, (each, index) => (index === at % bytes.length ? byte : each)));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), flipped), (input) => {
      try {
        for (const each of scanTraces(input)) {
          decodeSpan(each.span);
          decodeScope(each.scope);
        }
        otlpJson(input);
      } catch (error) {
        expect(error).toBeInstanceOf(EnvelopeError);
      }
    }),
    { numRuns: 1000 },
  );
});

test("random documents give spans or a named error", () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("00".repeat(16), "ff".repeat(8), "1"));
  const span = fc.dictionary(
    fc.constantFrom(
      "traceId",
      "span_id",
      "spanId",
      "name",
      "kind",
      "attributes",
      "status",
      "flags",
      "startTimeUnixNano",
    ),
    value,
  );
  fc.assert(
    fc.property(fc.array(span), (spans) => {
      try {
        scanJson({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
      } catch (error) {
        expect(error).toBeInstanceOf(EnvelopeError);
      }
    }),
    { numRuns: 300 },
  );
});

const attribute = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: "grapheme" }),
    fc.boolean(),
    fc.integer(),
    fc.double(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const attributes = fc.dictionary(fc.string(), attribute, { maxKeys: 4, noNullPrototype: true });
const id = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => Buffer.from(all).toString("hex"));
const time = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const plain = { noNullPrototype: true };
const anySpan: fc.Arbitrary<OtlpSpan> = fc.record(
  {
    traceId: id(16),
    spanId: id(8),
    parentSpanId: fc.option(id(8)),
    name: fc.string(),
    kind: fc.nat(5),
    startUnixNano: time,
    endUnixNano: time,
    attributes,
    droppedAttributesCount: fc.nat(),
    events: fc.array(fc.record({ name: fc.string(), timeUnixNano: time, attributes }, plain), { maxLength: 2 }),
    links: fc.array(fc.record({ traceId: id(16), spanId: id(8), attributes }, plain), { maxLength: 2 }),
    status: fc.record({ code: fc.constantFrom(0 as const, 1 as const, 2 as const), message: fc.string() }, plain),
    traceState: fc.string(),
    flags: fc.nat(),
  },
  plain,
);

/** JSON text has no minus zero that `JSON.stringify` would write. */
function plusZero<T>(value: T): T {
  if (typeof value === "number") return (Object.is(value, -0) ? 0 : value) as T;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(plusZero) as T;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plusZero(each)])) as T;
}

test("round trip of any span, in protobuf and in JSON", () => {
  const wrap = (span: OtlpSpan): ScannedSpan => ({
    resource: encodeResource({ "service.name": "x" }),
    resourceSchemaUrl: "",
    scope: encodeScope("s", "1"),
    scopeSchemaUrl: "u",
    span: encodeSpan(span),
    traceId: span.traceId,
    spanId: span.spanId,
    startUnixNano: span.startUnixNano,
  });
  fc.assert(
    fc.property(anySpan, (span) => {
      expect(decodeSpan(encodeSpan(span))).toEqual(span);
      const { bytes } = joinTraces([wrap(span)]);
      const [back] = scanJson(JSON.parse(JSON.stringify(otlpJson(bytes))));
      expect(decodeSpan(back!.span)).toEqual(plusZero(span));
      expect(scanTraces(bytes)).toMatchObject([
        { spanId: span.spanId, startUnixNano: span.startUnixNano, scopeSchemaUrl: "u" },
      ]);
    }),
    { numRuns: 200 },
  );
});
