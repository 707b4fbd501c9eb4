import type { GateReport } from "./gate-hooks.ts";
import type { Waypoint } from "../tape/journal-tape.ts";
import type { Ledger } from "../verdict/ledger.ts";
import { blameRefusal } from "../verdict/outcome.ts";
import { stepName } from "../tape/call-name.ts";
import { slotOf, type RecordedStep } from "../tape/tape.ts";
import { neverAsked, received, stepOf, waitedFor } from "../verdict/unfinished.ts";
import { listed } from "../verdict/listed.ts";

/** Writes into the ledger that the recorded order was lost: the next recorded event never came. */
export function orderDiverged(ledger: Ledger, { why, expected, waiting }: GateReport): void {
  const { tape } = ledger;
  noteLostOrder(ledger);
  // nothing was called since it was refused
  if (ledger.refused.at(-1)?.after === ledger.calls.length) blameRefusal(ledger);
  const waits = waiting.map((key) => waitedFor(key, tape));
  const now = waits.length === 0 ? why : `${why} and waits for ${waitingText(waits)}`;
  const [unread] = waiting.flatMap((key) => readsOn(key, tape) ?? []);
  if (unread !== undefined && (expected === null || expected.k === "s"))
    return ledger.diverged(
      unread.index + 1,
      slotOf(unread.record),
      "order",
      null,
      `the recorded run left the body of ${unread.record.op} (step ${unread.index + 1}) unread from here on; this run reads on`,
    );
  if (expected === null) return ledger.diverged(null, null, "order", null, `the recorded run ended here; ${now}`);
  const call = stepBehind(expected, ledger);
  if (call !== null) {
    ledger.wentOnWithout(call);
    return ledger.notStarted(
      call,
      `expected the start of ${call.record.op}; ${neverAsked(expected, tape)}: ${received(expected, tape)} before it in the recorded run; ${now}`,
      "unfinished",
      `${received(expected, tape)}, before ${call.record.op} (step ${call.index + 1}), in the recorded run; this run sets it elsewhere, or does not wait for what came before it`,
    );
  }
  if (expected.k === "s") return notStartedHere(ledger, expected.id, now);
  const step = stepOf(expected, tape);
  const number = step === null ? null : step.index + 1;
  const slot = step === null ? null : slotOf(step.record);
  // it waits for another part of the same body
  const isElsewhere = step !== null && waits.some((each) => each.endsWith(`(step ${step.index + 1})`));
  if (expected.k === "f" || isElsewhere) {
    const cause = `${received(expected, tape)} in the recorded run, and did not here; ${now}`;
    return ledger.diverged(number, slot, "order", null, cause);
  }
  ledger.findings.add("unfinished");
  ledger.neverAsked(new Set([expected]));
  const cause = `${received(expected, tape)} in the recorded run; ${neverAsked(expected, tape)}: ${now}`;
  ledger.diverged(number, slot, "unfinished", null, cause);
}

/** With `--from` a lost order may be no divergence, and what it decides is then not judged. */
function noteLostOrder(ledger: Ledger): void {
  if (ledger.compared.from === 0) return;
  ledger.note(
    "not compared behind what was left out: readings of the clock, random values, waits and the order of answers",
  );
}

function notStartedHere(ledger: Ledger, index: number, now: string): void {
  const step = ledger.tape.steps.get(index);
  if (step === undefined)
    return ledger.diverged(null, null, "missing", null, `expected the start of step ${index + 1}; ${now}`);
  ledger.notStarted(
    step,
    `expected the start of ${stepName(step)}; ${now}`,
    "order",
    `the recorded run called ${stepName(step)} (step ${step.index + 1}) here, and this run only later; ${now}`,
  );
}

/** The step whose body this run waits for and the recorded run had left, by the key at the gate; null: it waits for something else. */
function readsOn(key: string, { steps }: Ledger["tape"]): RecordedStep | null {
  const step = steps.get(Number(/^e-?\d+:(\d+)/.exec(key)?.[1] ?? -1));
  const end = step?.record.exchange?.end;
  return step !== undefined && (end === "open" || end === "cancelled") ? step : null;
}

/**
 * The step that starts next behind a timer or an operation that never came, with no answer between them: the call, and not
 * the wait before it, is what the user took away. Null: there is none, or it was made.
 */
export function stepBehind(event: Waypoint, ledger: Ledger): RecordedStep | null {
  if (event.k !== "t" && event.k !== "o") return null;
  const { journal, steps } = ledger.tape;
  const next = journal.slice(journal.indexOf(event) + 1).find(({ k }) => !WAITS.includes(k));
  return next?.k === "s" && !ledger.met(next.id) ? (steps.get(next.id) ?? null) : null;
}

/** Events that may stand between a wait and the call that it leads to. */
const WAITS: readonly string[] = ["t", "o", "f", "v"];

const MOST_TOLD = 3;

function waitingText(waits: readonly string[]): string {
  return listed([...new Set(waits)], MOST_TOLD);
}
