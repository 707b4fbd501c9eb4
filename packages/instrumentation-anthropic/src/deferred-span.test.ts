import { context, INVALID_SPAN_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { DeferredSpan } from "./deferred-span.ts";

const exporter = new InMemorySpanExporter();
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer("test");

/** What an SDK does to its span, on either kind. */
function use(span: ReturnType<typeof tracer.startSpan>): void {
  span.setAttribute("a", 1).setAttributes({ b: 2 }).updateName("renamed");
  span.addEvent("plain", [5, 0]).addEvent("with", { c: 3 }, [6, 0]);
  span.addLink({ context: parent.spanContext() }).addLinks([{ context: parent.spanContext() }]);
  span.recordException(new Error("oh"), [7, 0]);
  span.setStatus({ code: SpanStatusCode.ERROR, message: "no" });
  span.end([9, 0]);
}

const parent = tracer.startSpan("parent");
const under = trace.setSpan(context.active(), parent);
const shape = () =>
  exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, links, status, startTime, endTime, parentSpanContext }) => {
      return { name, attributes, events, links, status, startTime, endTime, parent: parentSpanContext?.spanId };
    });

test("a span that was kept is as if it had never been held", () => {
  const options = { startTime: [3, 0] as [number, number], attributes: { start: true } };
  for (const span of [new DeferredSpan(tracer, "call", options, under), tracer.startSpan("call", options, under)])
    use(span);
  const [held, plain] = shape();
  expect(held).toEqual(plain);
  expect(held?.parent).toBe(parent.spanContext().spanId);
});

test("meanwhile it stands for its parent, and without one for nothing", () => {
  expect(new DeferredSpan(tracer, "call", {}, under).spanContext()).toBe(parent.spanContext());
  expect(new DeferredSpan(tracer, "call", { root: true }, under).spanContext()).toBe(INVALID_SPAN_CONTEXT);
  expect(new DeferredSpan(tracer, "call").spanContext()).toBe(INVALID_SPAN_CONTEXT);
});

test("dropped, it leaves nothing; ended, it takes nothing more", () => {
  exporter.reset();
  const dropped = new DeferredSpan(tracer, "call", {}, under);
  dropped.drop();
  expect(dropped.isRecording()).toBe(true);
  use(dropped);
  expect(shape()).toEqual([]);
  const kept = new DeferredSpan(tracer, "call", {}, under);
  kept.end();
  kept.drop();
  kept.setAttribute("late", 1);
  kept.end();
  expect(kept.isRecording()).toBe(false);
  expect(shape()).toMatchObject([{ name: "call", attributes: {} }]);
});
