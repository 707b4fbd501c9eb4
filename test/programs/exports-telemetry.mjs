// A model call inside a span of the agent's own NodeSDK, which exports it to TELEMETRY_URL; NOTE is an attribute of it.
// Then the bytes named by UPLOAD, in hex, go to the provider.
import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { NodeSDK } from "@opentelemetry/sdk-node";

const { NOTE, PROVIDER_URL, TELEMETRY_URL, UPLOAD } = process.env;
const sdk = new NodeSDK({
  serviceName: "agent",
  traceExporter: new OTLPTraceExporter({ url: `${TELEMETRY_URL}/v1/traces` }),
  metricReaders: [],
  logRecordProcessors: [],
});
sdk.start();
await trace.getTracer("agent").startActiveSpan("turn", async (span) => {
  span.setAttribute("note", NOTE ?? "none");
  const response = await fetch(`${PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hello" }] }),
  });
  console.log((await response.json()).choices[0].message.content);
  span.end();
});
await sdk.shutdown();
if (UPLOAD !== undefined) {
  const response = await fetch(`${PROVIDER_URL}/upload`, { method: "POST", body: Buffer.from(UPLOAD, "hex") });
  console.log(response.status);
}
