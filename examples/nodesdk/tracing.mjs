// OpenTelemetry as an application may have it already: spans go to Phoenix, or to any OTLP backend, once redacted.
import { OpenAIInstrumentation } from "@reenact/instrumentation-openai";
import { RedactionProcessor } from "@reenact/redaction";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace";

const exporter = new OTLPTraceExporter({
  url: process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? "http://localhost:6006/v1/traces",
});

export const sdk = new NodeSDK({
  resource: resourceFromAttributes({ "openinference.project.name": "refund-desk" }),
  instrumentations: [new OpenAIInstrumentation()],
  // The redaction comes first: nothing behind it sees a text that was not scrubbed.
  spanProcessors: [new RedactionProcessor(), new BatchSpanProcessor({ exporter })],
});
sdk.start();
