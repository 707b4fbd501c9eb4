// node --import <this> <program>: a NodeSDK with both attached instrumentations; its spans go to the file OWN_SPANS.
// OWN_POLICY=none leaves the redaction processor out, OWN_RECORD=1 asks for records.
import { writeFileSync } from "node:fs";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import { AnthropicInstrumentation } from "@reenact/instrumentation-anthropic";
import { OpenAIInstrumentation } from "@reenact/instrumentation-openai";
import { RedactionProcessor } from "@reenact/redaction";

const { OWN_SPANS, OWN_POLICY, OWN_RECORD } = process.env;
const record = OWN_RECORD === "1";
const env = { REENACT_REDACTION_KEY: "00112233445566778899aabbccddeeff".repeat(2) };
const exporter = new InMemorySpanExporter();
const sdk = new NodeSDK({
  serviceName: "agent",
  autoDetectResources: false,
  instrumentations: [new OpenAIInstrumentation({ record }), new AnthropicInstrumentation({ record })],
  spanProcessors: [
    ...(OWN_POLICY === "none" ? [] : [new RedactionProcessor({ env })]),
    new SimpleSpanProcessor({ exporter }),
  ],
  metricReaders: [],
  logRecordProcessors: [],
});
sdk.start();

process.on("exit", () => {
  const spans = exporter.getFinishedSpans().map(({ name, status, attributes, instrumentationScope }) => {
    return { name, status, attributes, scope: instrumentationScope.name };
  });
  writeFileSync(OWN_SPANS, JSON.stringify(spans));
});
