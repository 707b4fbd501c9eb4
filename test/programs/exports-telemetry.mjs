// A model call inside a span of the agent's own NodeSDK, which exports it to TELEMETRY_URL, over gRPC with PROTOCOL=grpc;
// NOTE is an attribute of it. With CONNECTIONS, each connection has a span and a measure, too, as instrumentations make
// them of what Node's fetch announces, and the memory's collection has one. UPLOAD goes to PROVIDER_URL at the path UPLOAD_PATH: bytes, in hex.
import { subscribe } from "node:diagnostics_channel";
import { PerformanceObserver } from "node:perf_hooks";
import { metrics, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as GrpcExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { NodeSDK } from "@opentelemetry/sdk-node";

const { CONNECTIONS, NOTE, PROTOCOL, PROVIDER_URL, TELEMETRY_URL, UPLOAD, UPLOAD_PATH } = process.env;
const sdk = new NodeSDK({
  serviceName: "agent",
  traceExporter:
    PROTOCOL === "grpc"
      ? new GrpcExporter({ url: TELEMETRY_URL })
      : new OTLPTraceExporter({ url: `${TELEMETRY_URL}/v1/traces` }),
  ...(CONNECTIONS === undefined ? { metricReaders: [] } : {}),
  logRecordProcessors: [],
});
sdk.start();
if (CONNECTIONS !== undefined) {
  const duration = metrics.getMeter("connections").createHistogram("duration");
  subscribe("undici:request:create", () => {
    trace.getTracer("connections").startSpan("connection").end();
    duration.record(1);
  });
  const collection = metrics.getMeter("memory").createHistogram("collection");
  new PerformanceObserver(() => collection.record(1)).observe({ entryTypes: ["gc"] });
}
await trace.getTracer("agent").startActiveSpan("turn", async (span) => {
  span.setAttribute("note", NOTE ?? "none");
  const response = await fetch(`${PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hello" }] }),
  });
  console.log((await response.json()).choices[0].message.content);
  span.end();
  if (CONNECTIONS !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
});
await sdk.shutdown().catch((error) => console.log(error.name, error.message, error.code));
if (UPLOAD !== undefined) {
  const body = Buffer.from(UPLOAD, "hex");
  const response = await fetch(`${PROVIDER_URL}${UPLOAD_PATH}`, { method: "POST", body });
  console.log(response.status);
}
