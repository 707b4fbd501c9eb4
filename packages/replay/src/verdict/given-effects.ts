import { type RecordedStep, slotOf } from "../tape/tape.ts";
import { NO_OUTCOME } from "../tape/given-results.ts";
import { nameOfSlot } from "../tape/slot-name.ts";
import type { Ledger } from "./ledger.ts";
import { listed } from "./listed.ts";
import { isFaithful } from "./verdict.ts";

const MOST = 20;

/** A step has returned what the caller gave: what differs later differs because of it. */
export function noteGiven(step: RecordedStep, ledger: Ledger): void {
  if (step.given !== undefined) ledger.ranOtherwise(step, inWords(step, step.given));
}

/** How many steps have returned what the caller gave. */
export const countGiven = (ledger: Ledger): number =>
  givenSteps(ledger).filter(({ index }) => ledger.met(index)).length;

/** A replay in which a result was given is never identical: where nothing else differs, that is the difference. */
export function reportGiven(ledger: Ledger): void {
  for (const step of givenSteps(ledger)) {
    const what = ledger.met(step.index)
      ? `${inWords(step, step.given)}, and nothing after it differs`
      : `${named(step)} was not called, so the result that --set gives for it had no effect`;
    ledger.diverged(step.index + 1, slotOf(step.record), "edited", null, what);
  }
}

/** For people: each given result. */
export const givenWords = (ledger: Ledger): string[] => metGiven(ledger).map((step) => inWords(step, step.given));

const metGiven = (ledger: Ledger): Given[] => givenSteps(ledger).filter(({ index }) => ledger.met(index));

/** The same, and the calls behind the first of them that differ. */
export function givenNotes(ledger: Ledger): string[] {
  const given = metGiven(ledger);
  const [first] = given;
  if (first === undefined) return [];
  const after = ledger.calls.filter(({ step, verdict }) => step > first.index + 1 && !isFaithful(verdict));
  const changes = after.map(({ step, slot, verdict }) => `step ${step} ${nameOfSlot(slot)}: ${verdict}`);
  return [
    ...givenWords(ledger),
    changes.length === 0 ? "no call after it differs" : `after it: ${listed(changes, MOST)}`,
  ];
}

type Given = RecordedStep & { given: NonNullable<RecordedStep["given"]> };

const givenSteps = ({ tape }: Ledger): Given[] =>
  tape.ordered.filter((step): step is Given => step.given !== undefined);

const CALLED: Readonly<Record<string, string>> = { STEP: "step()", INPUT: "input()" };

const named = ({ kind, name, index }: RecordedStep): string => `${CALLED[kind] ?? "tool"} ${name} (step ${index + 1})`;

const inWords = (step: RecordedStep, { recorded, now }: Given["given"]): string =>
  recorded === NO_OUTCOME
    ? `${named(step)} ${now} by --answer`
    : `${named(step)} ${now} by --set (recorded: ${recorded})`;
