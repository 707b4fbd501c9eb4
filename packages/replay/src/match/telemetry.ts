import type { RecordedStep } from "../tape/tape.ts";
import type { RecordedRequestBody } from "./recorded-request.ts";

/** One way in which telemetry of a run is sent: where to, and texts that all stand in such a body. */
interface TelemetryForm {
  readonly product: string;
  readonly path: RegExp;
  /** a body that holds one of these lists of marks is such telemetry; a program's own API may have the same path */
  readonly marks: readonly (readonly string[])[];
}

/** Reviewed as data. Marks are looked for in the decompressed body; of a binary one (msgpack, protobuf) in its bytes. */
const TELEMETRY: readonly TelemetryForm[] = [
  {
    product: "OTLP",
    path: /\/v1\/(?:traces|metrics|logs)(?:\?|$)/,
    marks: [['"resourceSpans"'], ['"resourceMetrics"'], ['"resourceLogs"'], ["service.name", "telemetry.sdk.language"]],
  },
  {
    product: "Sentry",
    path: /\/api\/\d+\/(?:envelope|store)\/?(?:\?|$)/,
    marks: [
      ['"sent_at"', '"type"'],
      ['"event_id"', '"sdk"'],
    ],
  },
  {
    product: "Datadog",
    path: /\/v0\.\d\/(?:traces|stats|config)$/,
    marks: [
      ["trace_id", "span_id"],
      ['"client"', '"state"'],
      ["Stats", "Start", "Duration"],
    ],
  },
  { product: "Datadog", path: /\/telemetry\/proxy\//, marks: [['"api_version"', '"tracer_time"']] },
  { product: "LangSmith", path: /\/runs\/(?:batch|multipart)$/, marks: [["dotted_order"]] },
  { product: "Langfuse", path: /\/api\/public\/ingestion$/, marks: [['"batch"', '"metadata"']] },
  {
    product: "PostHog",
    path: /\/(?:i\/v0\/e|batch|capture)\/?(?:\?|$)/,
    marks: [['"api_key"', '"batch"', '"distinct_id"']],
  },
];

/**
 * The product whose telemetry a recorded request is; null for any other request. Told by the content of the recorded
 * body and of the body of now: a body that cannot be read is compared.
 */
export function telemetryOf(
  step: RecordedStep,
  recorded: RecordedRequestBody,
  now: RecordedRequestBody,
): string | null {
  const request = step.record.exchange?.request;
  if (request === undefined || !request.method.startsWith("P")) return null;
  const form = TELEMETRY.find(({ path }) => path.test(request.url));
  if (form === undefined) return null;
  const holds = (text: string): boolean => form.marks.some((marks) => marks.every((mark) => text.includes(mark)));
  return holds(readable(recorded)) && holds(readable(now)) ? form.product : null;
}

const readable = ({ text, bytes }: RecordedRequestBody): string =>
  text ?? (bytes === null ? "" : Buffer.from(bytes).toString("latin1"));
