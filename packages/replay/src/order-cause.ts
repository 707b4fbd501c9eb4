import type { GateReport } from "./gate-hooks.ts";
import type { Ledger } from "./ledger.ts";
import { blameRefusal } from "./outcome.ts";
import { slotOf, type TapedStep } from "./tape.ts";

/** Writes into the ledger that the recorded order was lost: the next recorded event never came. */
export function orderDiverged(ledger: Ledger, { why, expected, waiting }: GateReport): void {
  const step =
    expected !== null && "id" in expected && expected.k !== "t" && expected.k !== "o"
      ? (ledger.tape.steps.get(expected.id) ?? null)
      : null;
  const what =
    expected === null
      ? "the end of the run"
      : expected.k === "s"
        ? `the start of ${step?.record.op ?? `step ${expected.id + 1}`}`
        : describe(expected.k, step);
  blameRefusal(ledger);
  const others = waiting.length === 1 ? "one other delivery" : `${waiting.length} other deliveries`;
  ledger.diverged(
    step === null ? null : step.index + 1,
    step === null ? null : slotOf(step.record),
    expected?.k === "s" ? "missing" : "order",
    null,
    `expected ${what}; ${why}${waiting.length === 0 ? "" : ` and waits for ${others}`}`,
  );
}

function describe(kind: string, step: TapedStep | null): string {
  const op = step?.record.op ?? "a step";
  switch (kind) {
    case "h":
      return `the answer of ${op}`;
    case "c":
    case "e":
      return `the body of ${op}`;
    case "t":
      return "a timer";
    case "o":
      return "a file operation";
    default:
      return "a native wake-up";
  }
}
