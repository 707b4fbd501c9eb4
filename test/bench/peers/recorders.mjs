// Peers with packages of their own, most on OpenTelemetry 2, as their documentation sets them up; see ../recorders.mjs.
import OpenAI from "openai";
import { plainClient } from "../plain-client.mjs";

const SINK = process.env.BENCH_SINK;
const OTLP = { url: `${SINK}/v1/traces` };

export async function langfuse() {
  const { LangfuseSpanProcessor } = await import("@langfuse/otel");
  const { observeOpenAI } = await import("@langfuse/openai");
  const provider = await providerOf2(
    (exporter) => new LangfuseSpanProcessor({ exporter, publicKey: "bench", secretKey: "bench", baseUrl: SINK }),
  );
  return { client: observeOpenAI(plainClient()), flush: () => provider.forceFlush() };
}

export async function openllmetry() {
  const { OpenAIInstrumentation } = await import("@traceloop/instrumentation-openai");
  const { BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-base");
  const provider = await providerOf2((exporter) => new BatchSpanProcessor(exporter, { scheduledDelayMillis: 500 }));
  const instrumentation = new OpenAIInstrumentation({ traceContent: true });
  instrumentation.setTracerProvider(provider);
  instrumentation.manuallyInstrument(OpenAI);
  return { client: plainClient(), flush: () => provider.forceFlush() };
}

/** A provider of OpenTelemetry 2, which these peers still need. */
async function providerOf2(processorOf) {
  const { NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-proto");
  const provider = new NodeTracerProvider({ spanProcessors: [processorOf(new OTLPTraceExporter(OTLP))] });
  provider.register();
  return provider;
}

export async function sentry() {
  const Sentry = await import("@sentry/node");
  const { host } = new URL(SINK);
  Sentry.init({ dsn: `http://bench@${host}/1`, tracesSampleRate: 1, sendDefaultPii: true });
  const client = Sentry.instrumentOpenAiClient(plainClient(), { recordInputs: true, recordOutputs: true });
  return { client, flush: () => Sentry.flush(5000) };
}

export async function braintrust() {
  const { initLogger, wrapOpenAI } = await import("braintrust");
  const logger = initLogger({ projectName: "bench", projectId: "bench", appUrl: SINK, apiKey: "bench" });
  return { client: wrapOpenAI(plainClient()), flush: () => logger.flush() };
}
