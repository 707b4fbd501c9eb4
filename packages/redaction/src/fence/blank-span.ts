import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { type Attributes, blankedAttributes } from "./attributes.ts";
import { put } from "./put.ts";
import { blankedResource } from "./redacted-resource.ts";

/** The last resort: every text of the span goes, each on its own, whatever the others do. */
export function blankSpan(span: ReadableSpan): void {
  const attempts = [
    () => overwrite(span.attributes),
    () =>
      span.events.forEach((event) => ((event.name = "UNSCANNED_0"), event.attributes && overwrite(event.attributes))),
    () => span.links.splice(0),
    () => put(span, "resource", blankedResource(span.resource)),
    () => put(span, "instrumentationScope", { name: `UNSCANNED_${span.instrumentationScope.name.length}` }),
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
