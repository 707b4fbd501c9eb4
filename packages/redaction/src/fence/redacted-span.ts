import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { RedactingScrubber } from "../scrubber.ts";
import { redactedAttributes, type Attributes, blankedAttributes } from "./attributes.ts";
import { redactText } from "./redact-value.ts";
import { blankedResource, redactedResource } from "./redacted-resource.ts";
import { traceStateWithout } from "./trace-state.ts";

/** A view of an ended span with every text of it redacted. The span itself is left as it is. Never throws. */
export function redactedSpan(span: ReadableSpan, scrubber: RedactingScrubber): ReadableSpan {
  try {
    return view(
      span,
      (attributes) => redactedAttributes(attributes, scrubber),
      (text) => redactText(text, "", scrubber),
      redactedResource(span.resource, scrubber),
    );
  } catch {
    return view(span, blankedAttributes, (text) => `UNSCANNED_${text.length}`, blankedResource(span.resource));
  }
}

type OnAttributes = (attributes: Attributes) => Attributes;
type OnText = (text: string) => string;

/** Members that this view does not name (other SDK versions have some) come from the span itself. */
function view(
  span: ReadableSpan,
  onAttributes: OnAttributes,
  onText: OnText,
  resource: ReadableSpan["resource"],
): ReadableSpan {
  const attributes = <T extends object | undefined>(given: T): T =>
    given === undefined ? given : (onAttributes(given as Attributes) as T);
  const context = span.spanContext();
  const trace = traceStateWithout(context, onText);
  const scope = span.instrumentationScope;
  return derived(span, {
    name: onText(span.name),
    kind: span.kind,
    spanContext: () => trace,
    parentSpanContext:
      span.parentSpanContext === undefined ? undefined : traceStateWithout(span.parentSpanContext, onText),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: span.status.message === undefined ? span.status : { ...span.status, message: onText(span.status.message) },
    attributes: attributes(span.attributes),
    events: span.events.map((event) => ({
      ...event,
      name: onText(event.name),
      attributes: attributes(event.attributes),
    })),
    links: span.links.map((link) => ({
      ...link,
      context: traceStateWithout(link.context, onText),
      attributes: attributes(link.attributes),
    })),
    resource,
    instrumentationScope: {
      ...scope,
      name: onText(scope.name),
      version: scope.version === undefined ? undefined : onText(scope.version),
      ...(scope.schemaUrl === undefined ? {} : { schemaUrl: onText(scope.schemaUrl) }),
      ...("attributes" in scope ? { attributes: attributes(scope.attributes as Attributes) } : {}),
    },
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  });
}

function derived<T extends object>(from: T, members: object): T {
  return { __proto__: from, ...members } as unknown as T;
}
