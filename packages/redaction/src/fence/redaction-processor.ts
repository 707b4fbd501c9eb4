import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace";
import { createScrubber, type RedactingScrubber } from "../scrubber.ts";
import { loadScopeKey } from "../scope-key.ts";
import { attributeChanges, type Attributes, blankedAttributes } from "./attributes.ts";
import { complain } from "./complain.ts";
import { guardsExport } from "./redacting-exporter.ts";
import { redactText } from "./redact-value.ts";
import { lendScrubber } from "./seam.ts";

const REFUSED =
  "this OpenTelemetry SDK has no onEnding: spans are blanked; put redactingExporter() around the exporter instead of RedactionProcessor";

/**
 * Fence 1: redacts the spans of others in the same provider while they end, before any processor sees them ended;
 * and lends its policy to the recorder. Without a key every text is replaced. Nothing here throws into `span.end()`.
 */
export class RedactionProcessor implements SpanProcessor {
  readonly #scrubber: RedactingScrubber | null;
  readonly #ending = new WeakSet<object>();

  /** No argument: the key comes from `REENACT_REDACTION_KEY`. */
  constructor(options: { scrubber?: RedactingScrubber; env?: Readonly<Record<string, string | undefined>> } = {}) {
    this.#scrubber = options.scrubber ?? fromEnvironment(options.env ?? process.env);
    if (this.#scrubber === null) return;
    this.#scrubber.passed.watch();
    lendScrubber(this.#scrubber);
  }

  onStart(): void {}

  onEnding(span: Span): void {
    this.#ending.add(span);
    try {
      if (this.#scrubber === null) blankSpan(span);
      else redactSpan(span, this.#scrubber);
    } catch {
      blankSpan(span);
    }
  }

  /** A span that ended without `onEnding` was not redacted: what is left of it is its shape. */
  onEnd(span: ReadableSpan): void {
    if (this.#ending.has(span) || (this.#scrubber !== null && guardsExport())) return;
    complain(REFUSED);
    blankSpan(span);
  }

  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

function fromEnvironment(env: Readonly<Record<string, string | undefined>>): RedactingScrubber | null {
  const found = loadScopeKey({ env, folder: "", loopback: false });
  if ("key" in found) return createScrubber({ key: found.key });
  complain(`texts of spans are blanked: ${found.error}`);
  return null;
}

function redactSpan(span: Span, scrubber: RedactingScrubber): void {
  for (const [key, value] of Object.entries(attributeChanges(span.attributes, scrubber))) span.setAttribute(key, value);
  const name = redactText(span.name, "", scrubber);
  if (name !== span.name) span.updateName(name);
  for (const event of span.events) {
    event.name = redactText(event.name, "", scrubber);
    if (event.attributes) event.attributes = { ...event.attributes, ...attributeChanges(event.attributes, scrubber) };
  }
  span.links.forEach((link, i) => {
    const changes = attributeChanges(link.attributes ?? {}, scrubber);
    if (Object.keys(changes).length > 0)
      span.links[i] = { ...link, attributes: { ...link.attributes, ...(changes as typeof link.attributes) } };
  });
  const message = span.status.message;
  if (message !== undefined && message !== "") {
    const redacted = redactText(message, "", scrubber);
    if (redacted !== message) span.setStatus({ ...span.status, message: redacted });
  }
}

/** The last resort: every text of the span goes, each on its own, whatever the others do. */
function blankSpan(span: ReadableSpan): void {
  const attempts = [
    () => overwrite(span.attributes),
    () =>
      span.events.forEach((event) => ((event.name = "UNSCANNED_0"), event.attributes && overwrite(event.attributes))),
    () => span.links.splice(0),
    () => ((span as { name: string }).name = `UNSCANNED_${span.name.length}`),
    () =>
      span.status.message === undefined ? null : ((span as { status: object }).status = { code: span.status.code }),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch {
      // the next one still goes
    }
  }
}

function overwrite(attributes: Attributes): void {
  Object.assign(attributes, blankedAttributes(attributes));
}
