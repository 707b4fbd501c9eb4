import { recorder, type Run, scrubTyped, Tally, type ValueMarks, valueMarks } from "@reenact/capture";

/** What an `agent()` call returned or threw, as it would be recorded. */
export interface AgentOutput {
  readonly text: string;
  readonly marks: ValueMarks | null;
}

/** Null if it never ended. */
export function outputOf(run: Run | null): AgentOutput | null {
  const text = (run?.outcome ?? run?.answered)?.output ?? null;
  const { scrubber } = recorder;
  // nothing is copied in a replay
  if (typeof text !== "string" || scrubber === null) return null;
  const tally = new Tally();
  const redacted = scrubTyped(scrubber, text, tally);
  return { text: redacted, marks: valueMarks(scrubber, text, tally) };
}
