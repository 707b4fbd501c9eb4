import type { DelayDifference } from "./delay-comparison.ts";
import type { Ledger } from "../verdict/ledger.ts";
import { isOtherVersion } from "../tape/package-versions.ts";
import { slotOf } from "../tape/tape.ts";

type Asked = Extract<DelayDifference, { now: object }>;

/**
 * Reports delays that this run asks for and the recorded run did not. A delay that a package asks for in another version
 * than recorded is a note: the program did not change it.
 */
export function reportDelays(ledger: Ledger, differences: readonly DelayDifference[]): void {
  for (const difference of differences) {
    if (difference.now === null) continue;
    const text = causeOf(difference, ledger);
    const by = difference.now.place.package;
    if (by !== null && isOtherVersion(ledger.tape.root, by)) {
      ledger.note(`${text} (${by} may be in another version than recorded)`);
      continue;
    }
    const { by: owner, expected } = difference.now;
    const step = ledger.tape.steps.get(owner ?? expected ?? -1);
    ledger.findings.add("delay-changed");
    ledger.diverged(
      step === undefined ? null : step.index + 1,
      step === undefined ? null : slotOf(step.record),
      "delay-changed",
      { pointer: "", recorded: difference.recorded?.ms ?? null, now: difference.now.ms },
      text,
    );
  }
}

/** Reports recorded delays that this run asks for no more. */
export function reportGoneDelays(ledger: Ledger, differences: readonly DelayDifference[]): void {
  const gone = differences.filter((d) => d.now === null);
  const [first] = gone;
  if (first === undefined) return;
  const more = gone.length === 1 ? "" : ` (and ${gone.length - 1} more)`;
  const last = ledger.tape.steps.get(first.recorded.after ?? -1);
  const behind = last === undefined ? "before its first step" : `after ${last.record.op} (step ${last.index + 1})`;
  const text = `the recorded run set a timer or time-out of ${first.recorded.ms} ms ${behind}; this run sets none${more}`;
  if (isOtherVersion(ledger.tape.root, null)) return ledger.note(text);
  ledger.findings.add("delay-changed");
  const blame = { pointer: "", recorded: first.recorded.ms, now: null };
  ledger.diverged(null, null, "delay-changed", blame, text, first.recorded.interval);
}

function causeOf({ recorded, now }: Asked, { tape }: Ledger): string {
  const [line] = now.place.lines;
  const at =
    line === undefined
      ? ""
      : ` at ${line
          .replace(/^\s*at /, "")
          .replace(/^.*\((.*)\)$/, "$1")
          .replace(/^file:\/\//, "")}`;
  const by = now.place.package === null ? "" : ` (called by package ${now.place.package})`;
  const then =
    recorded === null
      ? "where the recorded run set no such timer"
      : `where the recorded run asked for ${recorded.ms} ms`;
  const step = tape.steps.get(now.by ?? now.expected ?? -1);
  const side = typeof now.by === "number" ? "in" : "before";
  const near = step === undefined ? "after the last step" : `${side} step ${step.index + 1} (${step.record.op})`;
  return `${now.what}${at}${by} asks for ${now.ms} ms ${then}, ${near}`;
}
