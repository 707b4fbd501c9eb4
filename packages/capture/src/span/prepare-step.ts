import { showTexts } from "./draft-step.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { Step } from "./step.ts";

/** Asks for all that the scrubber would stand still for. Null: nothing to wait for; never rejects. */
export function prepareStep(step: Step, scrubber: Scrubber | null): Promise<void> | null {
  if (scrubber?.prepare === undefined || scrubber.answersLater !== true) return null;
  const waits: Promise<void>[] = [];
  showTexts(step, scrubber, {
    policy: scrubber.policy,
    rules: scrubber.rules,
    kid: scrubber.kid,
    addKnown: () => {},
    scrub(text, hint) {
      const wait = scrubber.prepare?.(text, hint) ?? null;
      if (wait !== null) waits.push(wait);
      return { text, edits: [], counts: {} };
    },
  });
  return waits.length === 0 ? null : Promise.all(waits).then(() => {});
}
