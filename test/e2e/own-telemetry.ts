import { context, SpanStatusCode, trace, type Span } from "@opentelemetry/api";
import { NodeSDK, type NodeSDKConfiguration } from "@opentelemetry/sdk-node";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanLimits,
} from "@opentelemetry/sdk-trace";
import { RedactionProcessor } from "@reenact/redaction";

export interface OwnTelemetry {
  readonly exporter: InMemorySpanExporter;
  /** Runs `work` inside a span of the user's own, and gives all spans that were exported meanwhile. */
  during(work: (span: Span) => Promise<unknown>): Promise<Seen>;
  stop(): Promise<void>;
}

export interface Seen {
  /** spans of calls, as the attached instrumentations make them */
  readonly calls: readonly ReadableSpan[];
  /** all others: the user's, and an SDK's own */
  readonly others: readonly ReadableSpan[];
  readonly workId: string;
}

/** What somebody has who knows OpenTelemetry and nothing of us, but for the processor that redacts. */
export function startTelemetry(
  instrumentations: NonNullable<NodeSDKConfiguration["instrumentations"]>,
  spanLimits: SpanLimits = {},
): OwnTelemetry {
  const exporter = new InMemorySpanExporter();
  const env = { REENACT_REDACTION_KEY: "00112233445566778899aabbccddeeff".repeat(2) };
  const sdk = new NodeSDK({
    serviceName: "agent",
    autoDetectResources: false,
    instrumentations,
    spanLimits,
    spanProcessors: [new RedactionProcessor({ env }), new SimpleSpanProcessor({ exporter })],
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  const tracer = trace.getTracer("agent");
  return {
    exporter,
    async during(work) {
      exporter.reset();
      const workId = await tracer.startActiveSpan("work", async (span) => {
        span.setAttribute("app.step", 1);
        await work(span);
        span.end();
        return span.spanContext().spanId;
      });
      const spans = exporter.getFinishedSpans();
      const ours = (span: ReadableSpan): boolean => span.instrumentationScope.name.startsWith("@reenact/");
      return { calls: spans.filter(ours), others: spans.filter((span) => !ours(span)), workId };
    },
    async stop() {
      await sdk.shutdown();
      trace.disable();
      context.disable();
    },
  };
}

/** `LLM chat OK`, for assertions on many spans at once. */
export function said(span: ReadableSpan): string {
  return `${String(span.attributes["openinference.span.kind"])} ${span.name} ${SpanStatusCode[span.status.code]}`;
}
