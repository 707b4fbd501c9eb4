import type { ScrubHint } from "@reenact/capture";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import type { RedactingScrubber } from "../scrubber.ts";
import { redactedSpan } from "./redacted-span.ts";

let wrapped = 0;

/** Whether an exporter of this process stands behind fence 2. */
export function guardsExport(): boolean {
  return wrapped > 0;
}

/** A `SpanExporter` of `@opentelemetry/sdk-trace`, of any version. */
interface AnyExporter {
  export(spans: never[], done: (result: { code: number; error?: Error }) => void): void;
  shutdown(): Promise<void>;
  forceFlush?(): Promise<void>;
}

/**
 * Fence 2: the last check before export. Texts that fences 0 and 1 have redacted are recognised by content; the others are
 * redacted in a view of the span, so that other exporters still see the original. A span that fails is exported blank.
 *
 * @param inner a `SpanExporter`; the types do not name the OpenTelemetry SDK, which is an optional peer
 */
export function redactingExporter<E extends AnyExporter>(
  inner: E,
  scrubber: RedactingScrubber,
): Pick<E, "export" | "shutdown"> & { forceFlush(): Promise<void> } {
  const exporter = inner as unknown as SpanExporter;
  wrapped++;
  scrubber.alreadyRedacted.watch();
  const redacted = (spans: ReadableSpan[]): ReadableSpan[] => spans.map((span) => redactedSpan(span, scrubber));
  const { answersLater, prepare } = scrubber;
  return {
    export(spans: ReadableSpan[], done) {
      if (answersLater !== true || prepare === undefined) return exporter.export(redacted(spans), done);
      const texts = spans.flatMap((span) => textsOf(span, scrubber));
      void Promise.all(texts.map(async ([text, hint]) => prepare(text, hint)))
        // what was not answered for is replaced
        .catch(() => {})
        .then(() => exporter.export(redacted(spans), done));
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

/** Every text of a span, with what is known of it. */
function textsOf(span: ReadableSpan, scrubber: RedactingScrubber): [text: string, hint: ScrubHint][] {
  const texts: [string, ScrubHint][] = [];
  const asks: RedactingScrubber = {
    ...scrubber,
    scrub(text, hint = {}) {
      texts.push([text, hint]);
      return { text, edits: [], counts: {} };
    },
  };
  // reading them is what redacts them
  void redactedSpan(span, asks).resource.attributes;
  return texts;
}
