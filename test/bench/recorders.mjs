// Each recorder as its documentation sets it up, with content recorded, and its own exporter to the sink at BENCH_SINK. A function
// gives the client, and what sends all that was recorded so far.
import OpenAI from "openai";
import { plainClient } from "./plain-client.mjs";

/** Reenact needs nothing here: it is the preload of its process. */
function plain() {
  return { client: plainClient(), flush: async () => {} };
}

async function openinference() {
  const { OpenAIInstrumentation } = await import("@arizeai/openinference-instrumentation-openai");
  const { BatchSpanProcessor, TracerProvider } = await import("@opentelemetry/sdk-trace");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-proto");
  const exporter = new OTLPTraceExporter({ url: `${process.env.BENCH_SINK}/v1/traces` });
  const tracerProvider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 500 })],
  });
  new OpenAIInstrumentation({ tracerProvider }).manuallyInstrument(OpenAI);
  return { client: plainClient(), flush: () => tracerProvider.forceFlush() };
}

async function langsmith() {
  const { Client } = await import("langsmith");
  const { wrapOpenAI } = await import("langsmith/wrappers");
  const own = new Client();
  return { client: wrapOpenAI(plainClient(), { client: own }), flush: () => own.awaitPendingTraceBatches() };
}

const peer = (name) => async () => (await import("./peers/recorders.mjs"))[name]();

/** By their names in overhead-table.mjs. */
export const recorders = {
  nothing: plain,
  reenact: plain,
  "reenact-sent": plain,
  openinference,
  langsmith,
  langfuse: peer("langfuse"),
  openllmetry: peer("openllmetry"),
  sentry: peer("sentry"),
  braintrust: peer("braintrust"),
};
