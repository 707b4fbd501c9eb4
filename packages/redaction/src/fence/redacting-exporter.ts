import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import type { RedactingScrubber } from "../scrubber.ts";
import { redactedSpan } from "./redacted-span.ts";

let wrapped = 0;

/** Whether an exporter of this process stands behind fence 2. */
export function guardsExport(): boolean {
  return wrapped > 0;
}

/**
 * Fence 2: the last word before the wire. What fences 0 and 1 let through is recognised by content; the rest is
 * redacted in a view of the span, so that other exporters still see their own. A span that fails is exported blank.
 */
export function redactingExporter(exporter: SpanExporter, scrubber: RedactingScrubber): SpanExporter {
  wrapped++;
  scrubber.passed.watch();
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(
        spans.map((span) => redactedSpan(span, scrubber)),
        done,
      ),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
