import { recorder, type RunContext, Tally, type ValueMarks, valueMarks, valueOfRoot } from "@reenact/capture/recorder";

/** What an `agent()` call returned or threw, as it would be recorded. */
export interface AgentOutput {
  readonly text: string;
  readonly marks: ValueMarks | null;
}

/** Null if it never ended. */
export function outputOf(run: RunContext | null): AgentOutput | null {
  const end = run?.outcome ?? run?.answered;
  const text = end?.output ?? null;
  const { scrubber } = recorder;
  // nothing is copied in a replay
  if (typeof text !== "string" || scrubber === null) return null;
  const tally = new Tally();
  const redacted = valueOfRoot(text, end?.outputJson, scrubber, tally);
  return { text: redacted, marks: valueMarks(scrubber, text, tally) };
}
