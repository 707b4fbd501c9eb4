import { guarded } from "../fault/faults.ts";
import { isLongRoot, readRoot, type RootTexts } from "./read-root.ts";
import { Tally } from "./scrub-exchange.ts";
import type { Scrubber } from "./scrubber.ts";
import { valueOfRoot } from "../span/call-part.ts";
import { prepareTexts } from "../span/prepare-step.ts";
import { typedOf } from "../span/value-snapshot.ts";
import { live } from "../run/context.ts";
import type { RunStart } from "../run/run-start.ts";

/**
 * Gives what a run was asked, redacted, to `write`: at once where this thread may read it. Where redaction takes long, or waits for an
 * answer, once that has come. `read`: what another thread has made of it; null: it was read here.
 */
export function redactInput(
  { input: text = null, inputJson: json = null }: Pick<RunStart, "input" | "inputJson">,
  scrubber: Scrubber,
  write: (input: string, read: RootTexts | null) => void,
): void {
  if (text === null) return;
  const by = (scrubs: Scrubber): string => valueOfRoot(typedOf(text), json, scrubs, new Tally());
  const later = (done: () => void): void => guarded("input", undefined, () => live(done));
  const reading = isLongRoot(scrubber, text, null)
    ? readRoot(scrubber, { text, json }, { text: null, json: null })
    : null;
  // neither of the two rejects
  if (reading !== null) return void reading.then((read) => later(() => write(JSON.parse(read.input) as string, read)));
  const wait = prepareTexts(scrubber, (asking) => void by(asking));
  if (wait === null) write(by(scrubber), null);
  else void wait.then(() => later(() => write(by(scrubber), null)));
}
