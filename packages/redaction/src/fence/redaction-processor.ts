import type { ReadableSpan, Span } from "@opentelemetry/sdk-trace";
import { createScrubber, type RedactingScrubber } from "../scrubber.ts";
import { knownFromEnvironment } from "../detect/secrets/known.ts";
import type { Policy } from "../policy.ts";
import { loadScopeKey } from "../token/scope-key.ts";
import { redactedAttributes } from "./attributes.ts";
import { blankSpan } from "./blank-span.ts";
import { complain } from "./complain.ts";
import { guardsExport } from "./redacting-exporter.ts";
import { put } from "./put.ts";
import { redactText } from "./redact-value.ts";
import { redactedResource } from "./redacted-resource.ts";
import { traceStateWithout } from "./trace-state.ts";
import { watchLater } from "./watch-later.ts";
import { lendScrubber } from "./seam.ts";

const REFUSED =
  "this OpenTelemetry SDK has no onEnding: spans are blanked; put redactingExporter() around the exporter instead of RedactionProcessor";

const CANNOT_WAIT =
  "a span that ends cannot wait for asynchronous detectors: its texts are replaced; put redactingExporter() around the exporter";

/**
 * Fence 1: redacts the spans of others in the same provider while they end, before any processor sees them ended;
 * and lends its policy to the recorder. Without a key every text is replaced. Nothing here throws into `span.end()`.
 *
 * A `SpanProcessor` of `@opentelemetry/sdk-trace`. The types do not name that package: it is an optional peer, and the
 * types of a project that does not have it must compile.
 */
export class RedactionProcessor {
  readonly #scrubber: RedactingScrubber | null;
  readonly #ending = new WeakSet<object>();

  /** Without a scrubber the key comes from `REENACT_REDACTION_KEY`, or its command. */
  constructor(
    options: {
      scrubber?: RedactingScrubber;
      policy?: Policy;
      env?: Readonly<Record<string, string | undefined>>;
    } = {},
  ) {
    this.#scrubber = options.scrubber ?? fromEnvironment(options.env ?? process.env, options.policy);
    if (this.#scrubber === null) return;
    if (this.#scrubber.answersLater === true) complain(CANNOT_WAIT);
    this.#scrubber.alreadyRedacted.watch();
    lendScrubber(this.#scrubber);
  }

  onStart(): void {}

  onEnding(ending: object): void {
    const span = ending as Span;
    this.#ending.add(span);
    try {
      if (this.#scrubber === null) blankSpan(span);
      else {
        redactSpan(span, this.#scrubber);
        watchLater(span, this.#scrubber);
      }
    } catch {
      blankSpan(span);
    }
  }

  /** A span that ended without `onEnding` was not redacted: what is left of it is its shape. */
  onEnd(ended: object): void {
    const span = ended as ReadableSpan;
    if (this.#ending.has(span) || (this.#scrubber !== null && guardsExport())) return;
    complain(REFUSED);
    blankSpan(span);
  }

  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

function fromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  policy: Policy = {},
): RedactingScrubber | null {
  const found = loadScopeKey({ env, folder: "", loopback: false });
  if ("key" in found && found.passphrase !== null) complain(found.passphrase);
  let why = "error" in found ? found.error : "";
  try {
    if ("key" in found) return createScrubber({ key: found.key, policy, known: knownFromEnvironment(env) });
  } catch (error) {
    why = error instanceof Error ? error.message : String(error);
  }
  complain(`texts of spans are blanked: ${why}`);
  return null;
}

type Value = Parameters<Span["setAttribute"]>[1];

function redactSpan(span: Span, scrubber: RedactingScrubber): void {
  const given = span.attributes;
  const redacted = redactedAttributes(given, scrubber);
  for (const key of Object.keys(given)) if (!Object.hasOwn(redacted, key)) delete given[key];
  for (const [key, value] of Object.entries(redacted) as [string, Value][])
    if (given[key] !== value) span.setAttribute(key, value);
  const name = redactText(span.name, "", scrubber);
  if (name !== span.name) span.updateName(name);
  for (const event of span.events) {
    event.name = redactText(event.name, "", scrubber);
    if (event.attributes) event.attributes = redactedAttributes(event.attributes, scrubber);
  }
  span.links.forEach((link, i) => {
    if (!link.attributes) return;
    const attributes = redactedAttributes(link.attributes, scrubber);
    span.links[i] = { ...link, attributes };
  });
  const message = span.status.message;
  if (message !== undefined && message !== "") {
    const redacted = redactText(message, "", scrubber);
    if (redacted !== message) span.setStatus({ ...span.status, message: redacted });
    // an OK status cannot be set again
    if (span.status.message !== redacted) put(span, "status", { ...span.status, message: redacted });
  }
  redactSurroundings(span, scrubber);
}

/** What a span has from its tracer and its parent: views of it, since others share it. */
function redactSurroundings(span: Span, scrubber: RedactingScrubber): void {
  const onText = (text: string): string => redactText(text, "", scrubber);
  const resource = redactedResource(span.resource, scrubber);
  if (span.resource !== resource) put(span, "resource", resource);
  const { instrumentationScope: scope } = span;
  const version = scope.version === undefined ? undefined : onText(scope.version);
  if (onText(scope.name) !== scope.name || version !== scope.version)
    put(span, "instrumentationScope", { ...scope, name: onText(scope.name), version });
  const context = span.spanContext();
  const without = traceStateWithout(context, onText);
  if (without !== context) put(span, "spanContext", () => without);
  const { parentSpanContext: parent } = span;
  const parentWithout = parent === undefined ? undefined : traceStateWithout(parent, onText);
  if (parentWithout !== parent) put(span, "parentSpanContext", parentWithout);
}
