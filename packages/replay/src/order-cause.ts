import type { GateReport } from "./gate-hooks.ts";
import type { Ledger } from "./ledger.ts";
import { blameRefusal } from "./outcome.ts";
import { slotOf } from "./tape.ts";
import { neverAsked, received, stepOf, waitedFor } from "./unfinished.ts";

/** Writes into the ledger that the recorded order was lost: the next recorded event never came. */
export function orderDiverged(ledger: Ledger, { why, expected, waiting }: GateReport): void {
  const { tape } = ledger;
  // nothing was called since it was refused
  if (ledger.refused.at(-1)?.after === ledger.calls.length) blameRefusal(ledger);
  const waits = waiting.map((key) => waitedFor(key, tape));
  const now = waits.length === 0 ? why : `${why} and waits for ${waitingText(waits)}`;
  if (expected === null) return ledger.diverged(null, null, "order", null, `the recorded run ended here; ${now}`);
  const step = stepOf(expected, tape);
  // it waits for another part of the same body
  const isElsewhere = step !== null && waits.some((each) => each.endsWith(`(step ${step.index + 1})`));
  const [verdict, cause] =
    expected.k === "s"
      ? ["missing", `expected the start of ${step?.record.op ?? `step ${expected.id + 1}`}; ${now}`]
      : expected.k === "f" || isElsewhere
        ? ["order", `${received(expected, tape)} in the recorded run, and did not here; ${now}`]
        : ["unfinished", `${received(expected, tape)} in the recorded run; ${neverAsked(expected, tape)}: ${now}`];
  if (verdict === "unfinished") {
    ledger.findings.add("unfinished");
    ledger.neverAsked(new Set([expected]));
  }
  ledger.diverged(
    step === null ? null : step.index + 1,
    step === null ? null : slotOf(step.record),
    verdict as string,
    null,
    cause as string,
  );
}

const MOST_TOLD = 3;

function waitingText(waits: readonly string[]): string {
  const different = [...new Set(waits)];
  const more = different.length - MOST_TOLD;
  return `${different.slice(0, MOST_TOLD).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
