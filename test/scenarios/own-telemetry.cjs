const { say } = require("./program.cjs");

/** Starts a NodeSDK of the agent's own, runs `action` inside spans of its own, and prints all spans it was given. */
async function besideOwnTelemetry(load, action) {
  const { NodeSDK, tracing, api } = await load();
  const exporter = new tracing.InMemorySpanExporter();
  const sdk = new NodeSDK({
    serviceName: "agent",
    autoDetectResources: false,
    spanProcessors: [new tracing.SimpleSpanProcessor({ exporter })],
  });
  sdk.start();
  const tracer = api.trace.getTracer("agent");
  await tracer.startActiveSpan("work", async (span) => {
    span.setAttribute("app.step", 1);
    await tracer.startActiveSpan("call", async (inner) => {
      await action();
      inner.end();
    });
    say("active", api.trace.getActiveSpan() === span);
    span.end();
  });
  const spans = exporter.getFinishedSpans();
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  for (const span of spans) {
    const parent =
      span.parentSpanContext === undefined ? null : (names.get(span.parentSpanContext.spanId) ?? "unknown");
    const attributes = Object.keys(span.attributes).toSorted();
    say("span", { name: span.name, parent, kind: span.kind, status: span.status.code, attributes });
  }
  await sdk.shutdown();
}

module.exports = { besideOwnTelemetry };
