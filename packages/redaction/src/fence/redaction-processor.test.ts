import { SpanStatusCode } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";
import { RedactionProcessor } from "./redaction-processor.ts";
import { redactingExporter } from "./redacting-exporter.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const PLANT = "alice.plant@example.com";

function tracing(processor: RedactionProcessor | null, guarded = false) {
  const exporter = new InMemorySpanExporter();
  const simple = new SimpleSpanProcessor({ exporter: guarded ? redactingExporter(exporter, scrubber) : exporter });
  // the exporter stands first: onEnding of all processors runs before any onEnd
  const provider = new TracerProvider({ spanProcessors: processor === null ? [simple] : [simple, processor] });
  return { tracer: provider.getTracer("test", PLANT), exporter };
}

function everyField(tracer: ReturnType<typeof tracing>["tracer"]): void {
  const context = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 };
  const span = tracer.startSpan(`to ${PLANT}`, {
    attributes: {
      text: PLANT,
      list: [PLANT, "b"],
      n: 4111111111111111,
      "http.request.header.authorization": "Bearer abc",
    },
    links: [{ context, attributes: { who: PLANT } }],
  });
  span.setAttribute("input.value", JSON.stringify({ inner: JSON.stringify({ to: PLANT }) }));
  span.addEvent(`event ${PLANT}`, { who: PLANT });
  span.recordException(new Error(`no ${PLANT}`));
  span.setStatus({ code: SpanStatusCode.ERROR, message: `failed for ${PLANT}` });
  span.end();
}

const texts = (
  spans: readonly { name: string; attributes: object; events: unknown; links: unknown; status: unknown }[],
): string => JSON.stringify(spans.map((s) => [s.name, s.attributes, s.events, s.links, s.status]));

describe("fence 1", () => {
  test("redacts every field before any processor sees the span ended", () => {
    const { tracer, exporter } = tracing(new RedactionProcessor({ scrubber }));
    everyField(tracer);
    const [span] = exporter.getFinishedSpans();
    expect(texts(exporter.getFinishedSpans())).not.toContain("plant@");
    expect(span?.attributes["list"]).toEqual([scrubber.scrub(PLANT).text, "b"]);
    expect(span?.attributes["n"]).toBe(4111111111111111);
    expect(span?.attributes["http.request.header.authorization"]).toMatch(/^Bearer AUTH_/);
    expect(span?.status.message).toMatch(/^failed for EMAIL_/);
  });

  test("redacts names of attributes that are made of data, in each place", () => {
    const { tracer, exporter } = tracing(new RedactionProcessor({ scrubber }));
    const context = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 };
    const span = tracer.startSpan("a", {
      attributes: { [`seen.${PLANT}`]: 1, "llm.input_messages.0.message.content": "fine" },
      links: [{ context, attributes: { [PLANT]: 1 } }],
    });
    span.addEvent("e", { [PLANT]: "x" });
    span.end();
    const [ended] = exporter.getFinishedSpans();
    expect(texts(exporter.getFinishedSpans())).not.toContain("plant@");
    expect(Object.keys(ended!.attributes)).toContain("llm.input_messages.0.message.content");
    expect(Object.values(ended!.attributes)).toEqual(expect.arrayContaining([1, "fine"]));
  });

  test("lends its scrubber to the recorder", () => {
    expect(new RedactionProcessor({ scrubber })).toBeInstanceOf(RedactionProcessor);
    const slot = (globalThis as Record<symbol, { scrubber?: unknown } | undefined>)[Symbol.for("reenact.seam/1")];
    expect(slot?.scrubber).toBe(scrubber);
  });

  test("a fault blanks the span and throws nothing into end()", () => {
    const broken = {
      ...scrubber,
      scrub: () => {
        throw new Error("broken");
      },
    };
    const { tracer, exporter } = tracing(new RedactionProcessor({ scrubber: broken }));
    everyField(tracer);
    expect(texts(exporter.getFinishedSpans())).not.toContain("plant@");
    expect(exporter.getFinishedSpans()[0]?.attributes["text"]).toBe(`UNSCANNED_${PLANT.length}`);
  });

  test("without a key every text is replaced", () => {
    const { tracer, exporter } = tracing(new RedactionProcessor({ env: {} }));
    everyField(tracer);
    expect(texts(exporter.getFinishedSpans())).not.toContain("plant@");
  });

  test("an SDK without onEnding gets a blanked span", () => {
    const processor = new RedactionProcessor({ scrubber });
    const { tracer } = tracing(null);
    const span = tracer.startSpan(PLANT, { attributes: { a: PLANT } });
    span.setStatus({ code: SpanStatusCode.ERROR, message: PLANT });
    processor.onEnd(span as never);
    const { name, attributes, status } = span as unknown as { name: string; attributes: object; status: object };
    expect(JSON.stringify([name, attributes, status])).not.toContain("plant@");
  });
});

describe("fence 2", () => {
  test("redacts a view, and leaves the span to others as it is", () => {
    const exporter = new InMemorySpanExporter();
    const other = new InMemorySpanExporter();
    const provider = new TracerProvider({
      spanProcessors: [
        new SimpleSpanProcessor({ exporter: redactingExporter(exporter, scrubber) }),
        new SimpleSpanProcessor({ exporter: other }),
      ],
    });
    everyField(provider.getTracer("test", PLANT));
    const [span] = exporter.getFinishedSpans();
    expect(texts(exporter.getFinishedSpans())).not.toContain("plant@");
    expect(span?.instrumentationScope.version).toMatch(/^EMAIL_/);
    expect(span?.spanContext().traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(texts(other.getFinishedSpans())).toContain(PLANT);
  });

  test("lets through by content what was let through before, and nothing else", () => {
    scrubber.alreadyRedacted.watch();
    const known = `made of ${PLANT}`;
    scrubber.alreadyRedacted.add(known);
    const { tracer, exporter } = tracing(null, true);
    tracer.startSpan("x", { attributes: { a: known, b: `${known}!` } }).end();
    expect(exporter.getFinishedSpans()[0]?.attributes["a"]).toBe(known);
    expect(exporter.getFinishedSpans()[0]?.attributes["b"]).not.toContain(PLANT);
  });

  test("trace state, resource, bytes and maps", () => {
    const exporter = new InMemorySpanExporter();
    const { tracer, exporter: plain } = tracing(null);
    tracer.startSpan("x").end();
    const span = plain.getFinishedSpans()[0];
    const given = Object.create(span as object, {
      resource: { value: { attributes: { owner: PLANT } } },
      attributes: { value: { bytes: new TextEncoder().encode(PLANT), map: { who: [PLANT] } } },
      spanContext: {
        value: () => ({
          traceId: "1".repeat(32),
          spanId: "2".repeat(16),
          traceFlags: 1,
          traceState: { serialize: () => `k=${PLANT}` },
        }),
      },
    });
    redactingExporter(exporter, scrubber).export([given], () => {});
    const out = exporter.getFinishedSpans()[0];
    expect(JSON.stringify(out?.resource.attributes)).not.toContain("plant@");
    expect(new TextDecoder().decode(out?.attributes["bytes"] as never)).toMatch(/^EMAIL_/);
    expect(JSON.stringify(out?.attributes["map"])).toMatch(/EMAIL_/);
    expect(out?.spanContext().traceState).toBeUndefined();
  });

  test("what a guarded exporter was given does not change with the span", () => {
    const { tracer, exporter } = tracing(null, true);
    const span = tracer.startSpan("a", { attributes: { fine: 1 } });
    span.end();
    const [ended] = exporter.getFinishedSpans();
    (span as unknown as { attributes: Record<string, unknown> }).attributes["late"] = PLANT;
    expect(JSON.stringify(ended?.attributes)).not.toContain("plant@");
  });
});
