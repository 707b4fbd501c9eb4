import { showTexts } from "./draft-step.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { Step } from "./step.ts";

/** Asks for all that the scrubber would stand still for. Null: nothing to wait for; never rejects. */
export function prepareStep(step: Step, scrubber: Scrubber | null): Promise<void> | null {
  if (scrubber === null) return null;
  return prepareTexts(scrubber, (asking) => showTexts(step, scrubber, asking));
}

/** The same for the texts that `show` has scrubbed, whose result is not used. */
export function prepareTexts(scrubber: Scrubber, show: (asking: Scrubber) => void): Promise<void> | null {
  if (scrubber.prepare === undefined || scrubber.answersLater !== true) return null;
  const waits: Promise<void>[] = [];
  show({
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
