import { type EndedSpan, operationOfDraft, spanOfDraft, type StepDraft } from "@reenact/capture/recorder";
import { type ScannedSpan, scanTraces } from "@reenact/envelope";
import { dialects } from "../own-code/lazy-packages.ts";
import { encodeEndedSpan, type Origin } from "../span/encode-ended-span.ts";

/** The span of a step, made from the draft in the spool. */
export function stepSpan(draft: StepDraft, origin: Origin): ScannedSpan {
  return scannedSpan(spanOfDraft(draft, operationOfDraft(draft, dialects)), origin);
}

export function scannedSpan(span: EndedSpan, origin: Origin): ScannedSpan {
  const [scanned] = scanTraces(encodeEndedSpan(span, origin));
  if (scanned === undefined) throw new Error("a span was not encoded");
  return scanned;
}
