import type { Ledger } from "../verdict/ledger.ts";
import type { ReplayGate } from "./replay-gate.ts";

/** Quarters of a second that a replay may sleep. */
const WAIT_BUDGET = { diverged: 12, waiting: 16, outside: 40 };

/**
 * How long the program may sleep with nothing owed to it before it is said to wait for ever; null: as long as it likes. What
 * the record says comes next from outside (a message of a thread, a file that is read) is waited for longer. How long a
 * thread may compute is in `end-without-progress.ts`.
 */
export function waitBudget(gate: ReplayGate | null, ledger: Ledger, readsInput: boolean): number | null {
  if (gate === null || gate.closed || gate.waits) return null;
  const [next] = gate.left();
  if (gate.degraded || ledger.divergence !== null) return WAIT_BUDGET.diverged;
  if (readsInput) return null;
  return next?.k === "f" || next?.k === "o" ? WAIT_BUDGET.outside : WAIT_BUDGET.waiting;
}
