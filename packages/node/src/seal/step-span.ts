import { type EndedSpan, operationOfDraft, spanOfDraft, type StepDraft } from "@reenact/capture";
import { type ScannedSpan, scanTraces } from "@reenact/envelope";
import type { Attributes } from "@opentelemetry/api";
import { dialects } from "../lazy-packages.ts";
import { encodeReadableSpan } from "../provider/encode-readable-span.ts";
import { fixedResource } from "../provider/fixed-resource.ts";
import { RecordedSpan } from "../provider/recorded-span.ts";

/** What the spans of a process stand under. */
export interface Origin {
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version?: string };
}

/** The span of a step, from what its process has left behind. */
export function stepSpan(draft: StepDraft, origin: Origin): ScannedSpan {
  return encodeEnded(spanOfDraft(draft, operationOfDraft(draft, dialects)), origin);
}

export function encodeEnded(span: EndedSpan, { resource, scope }: Origin): ScannedSpan {
  const [scanned] = scanTraces(encodeReadableSpan(new RecordedSpan(span, fixedResource(resource), scope)));
  if (scanned === undefined) throw new Error("a span was not encoded");
  return scanned;
}
