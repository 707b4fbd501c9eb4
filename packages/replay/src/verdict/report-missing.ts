import type { DelayDifference } from "../timers/delay-comparison.ts";
import type { RecordedDelay } from "../timers/delay-pairs.ts";
import { reportDelays, reportGoneDelays } from "../timers/delay-cause.ts";
import type { GateReport } from "../gate/gate-hooks.ts";
import { noteGoneReadings } from "../serve/gone-readings.ts";
import { reportNotGivenUp } from "./given-up.ts";
import type { Ledger } from "./ledger.ts";
import { orderDiverged, stepBehind } from "../gate/order-cause.ts";
import type { Tape, RecordedStep } from "../tape/tape.ts";
import type { TapeSource } from "../serve/tape-source.ts";
import { reportUnfinished } from "./unfinished.ts";

/**
 * Reports what the recorded run did and this run ended without: calls, and deliveries of calls that it made. Returns the
 * number of missing calls. Only for a replay that was not stopped.
 */
export function reportMissing(ledger: Ledger, tape: Tape, source: TapeSource): number {
  const missing = ledger.close(source.served, (step) => openAtEnd(tape, step));
  // a start-up has no end of its own
  if (!tape.complete || tape.root.startUp === true) return missing;
  const others = source.gate.otherOperations;
  if (others > 0) ledger.note(otherOperations(others));
  const unreached = source.gate.unreached();
  ledger.neverAsked(new Set(unreached.map(({ event }) => event)));
  const delays = source.delays.differences();
  reportDelays(ledger, delays);
  reportUnfinished(ledger, tape, unreached, (event) => source.gate.intervalOf(event));
  reportGoneDelays(ledger, delays);
  if (ledger.divergence === null) noteGoneReadings(ledger, source.goneReadings);
  return missing;
}

function otherOperations(count: number): string {
  const what = count === 1 ? "file or other asynchronous operation" : "files or other asynchronous operations";
  return `${count} ${what} more or fewer than recorded; when they end, beside calls and timers, is not compared`;
}

/** Reports that the recorded order was lost, or the delay that this run asks for instead of what the record expects. */
export function reportLostOrder(ledger: Ledger, source: TapeSource, report: GateReport): void {
  const { expected } = report;
  reportNotGivenUp(ledger, source.calls.values(), expected);
  // a call was not made too early if the timer that it came before is gone
  if (expected?.k === "t") ledger.neverAsked(new Set([expected]));
  const all = source.delays.differences();
  const own = all.filter(({ now }) => now !== null && now.place.package === null);
  if (expected?.k === "s") {
    // the call may have been removed with the timers behind it
    reportDelays(ledger, own.flatMap(asAdded));
  } else if (expected?.k === "t") {
    // timers are known by their order: one more or less, also one that a package sets for the program, leaves another one
    // expected
    const before = source.gate.intervalOf(expected);
    reportDelays(ledger, (own.length > 0 ? own : all).filter(isNew));
    const isGone = source.delays.timerOf(expected.scope, expected.id) === null;
    const gone = all
      .flatMap(asGone)
      .filter(({ recorded: { interval } }) => interval < before || (isGone && interval === before));
    // if a call was removed together with the wait before it, the call is the cause; if it comes later, the wait is
    if (stepBehind(expected, ledger) !== null) ledger.onlyWait = () => reportGoneDelays(ledger, gone);
    else {
      reportGoneDelays(ledger, gone);
      reportDelays(ledger, own.length > 0 ? own : all);
    }
  } else reportDelays(ledger, own);
  orderDiverged(ledger, report);
}

/** A delay that the record does not have later either. */
function isNew(difference: DelayDifference): boolean {
  return difference.now !== null && !difference.isLater;
}

function asAdded(difference: DelayDifference): DelayDifference[] {
  return isNew(difference) ? [{ ...difference, recorded: null } as DelayDifference] : [];
}

/** A recorded delay that this run does not ask for, also where it asks for one of later in its place. */
function asGone({ recorded, ...difference }: DelayDifference): { recorded: RecordedDelay; now: null }[] {
  return recorded === null || (difference.now !== null && !difference.isLater) ? [] : [{ recorded, now: null }];
}

/** In flight when the recorded run ended: the agent did not wait for it. */
function openAtEnd(tape: Tape, step: RecordedStep): boolean {
  return step.record.order.settle === undefined && tape.status !== "ok" && !tape.complete;
}
