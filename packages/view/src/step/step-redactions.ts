import type { RedactedPlace } from "@reenact/envelope";
import type { StepView } from "./step-view.ts";

/** What was replaced in one step. `show --redactions --json` prints it. */
export interface StepRedactions {
  readonly step: number;
  readonly name: string;
  readonly policy: string;
  readonly rules: string;
  readonly kid: string;
  /** number of replaced values by type */
  readonly counts: Readonly<Record<string, number>>;
  /** null: the recorder was too old to record them */
  readonly places: readonly RedactedPlace[] | null;
}

/** The redactions of those steps in which a value was replaced. */
export function redactionsOf(steps: readonly StepView[]): StepRedactions[] {
  return steps.flatMap(({ step, name, record }) => {
    const { redacted } = record ?? {};
    if (redacted === undefined || Object.keys(redacted.counts).length === 0) return [];
    const { policy, rules, kid, counts, places = null } = redacted;
    return [{ step, name, policy, rules, kid, counts, places }];
  });
}
