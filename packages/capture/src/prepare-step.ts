import { showTexts } from "./draft-step.ts";
import type { Scrubber } from "./scrubber.ts";
import type { Step } from "./step.ts";

/** A step with fewer UTF-16 units or bytes has no text that is worth handing to another thread. */
const LARGE = 64 * 1024;
const REQUEST_MS = 5000;

/** Has the texts of a step scanned off this thread: long ones, or all where each takes time. Null: nothing to wait for; never rejects. */
export function prepareStep(step: Step, scrubber: Scrubber | null, withinMs?: number): Promise<void> | null {
  if (scrubber?.prepare === undefined) return null;
  if (scrubber.answersLater !== true && sizeOf(step) <= LARGE) return null;
  const waits: Promise<void>[] = [];
  showTexts(step, scrubber, {
    policy: scrubber.policy,
    rules: scrubber.rules,
    kid: scrubber.kid,
    addKnown: () => {},
    scrub(text, hint) {
      const wait = scrubber.prepare?.(text, hint, withinMs) ?? null;
      if (wait !== null) waits.push(wait);
      return { text, edits: [], counts: {} };
    },
  });
  return waits.length === 0 ? null : Promise.all(waits).then(() => {});
}

/** As `prepareStep`, for a step that is under way: there is time, since its answer takes longer as a rule. */
export function prepareRequest(step: Step, scrubber: Scrubber): Promise<void> | null {
  return prepareStep(step, scrubber, REQUEST_MS);
}

function sizeOf({ exchange, call }: Step): number {
  if (exchange !== null)
    return (exchange.requestBody?.length ?? 0) + exchange.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (call === null) return 0;
  const yields = (call.yields ?? []).reduce((sum, each) => sum + each.length, 0);
  return call.args.length + (call.result?.length ?? 0) + (call.error?.length ?? 0) + yields;
}
