import type { Ledger } from "./ledger.ts";
import type { Tape, TapedStep } from "./tape.ts";
import type { TapeSource } from "./tape-source.ts";
import { reportUnfinished } from "./unfinished.ts";

/**
 * Reports what the recorded run did and this run ended without: calls, and deliveries of calls that it made. Returns the
 * number of missing calls. Only for a replay that was not stopped.
 */
export function closeBooks(ledger: Ledger, tape: Tape, source: TapeSource): number {
  const missing = ledger.close(source.served, (step) => openAtEnd(tape, step));
  if (!tape.complete) return missing;
  const unreached = source.gate.unreached();
  ledger.neverAsked(new Set(unreached.map(({ event }) => event)));
  reportUnfinished(ledger, tape, unreached);
  return missing;
}

/** In flight when the recorded run ended: nobody waited for it. */
function openAtEnd(tape: Tape, step: TapedStep): boolean {
  return step.record.order.settle === undefined && tape.status !== "ok" && !tape.complete;
}
