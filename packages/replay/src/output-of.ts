import { recorder, type Run, scrubTyped, Tally } from "@reenact/capture";

/** What an `agent()` call returned or threw, as it would be recorded; null if it never did. */
export function outputOf(run: Run | null): string | null {
  const text = (run?.outcome ?? run?.answered)?.output ?? null;
  // nothing is copied in a replay
  return typeof text !== "string" || recorder.scrubber === null
    ? null
    : scrubTyped(recorder.scrubber, text, new Tally());
}
