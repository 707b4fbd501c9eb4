import { recorder, type Content, type Step } from "@reenact/capture/recorder";
import type { Tape, RecordedStep } from "../tape/tape.ts";
import { readAsked } from "./asked.ts";
import { contentKeys, sameContent } from "./content-keys.ts";
import { recordedDigests } from "./recorded-request.ts";

/** Whether the first steps of some records could tell them apart. */
export function beginDifferently([first, ...others]: readonly Tape[]): boolean {
  const begin = (tape: Tape | undefined): string => {
    const step = tape?.ordered[0];
    return step === undefined ? "" : `${step.record.op} ${contentKeys(step).join()}`;
  };
  return others.some((tape) => begin(tape) !== begin(first));
}

/**
 * The record whose step at this place asks the same; else the one that shares most messages with it, since an edited
 * prompt leaves the question as it was; else the first.
 */
export function nearestTape(tapes: readonly Tape[], step: Step, content: Content): Tape | undefined {
  const { scrubber } = recorder;
  if (scrubber === null) return tapes[0];
  const asked = readAsked(content, step.operation, scrubber);
  const messages = new Set(asked.digests.messages);
  const shared = (tape: Tape): number => {
    const own = stepAt(tape, step);
    if (own === undefined) return -1;
    if (sameContent(asked, own)) return Infinity;
    return recordedDigests(own)?.messages?.filter((each) => messages.has(each)).length ?? 0;
  };
  let best = tapes[0];
  let most = best === undefined ? 0 : shared(best);
  for (const tape of tapes.slice(1)) {
    if (most === Infinity) break;
    const count = shared(tape);
    if (count > most) [best, most] = [tape, count];
  }
  return best;
}

function stepAt(tape: Tape, { path, op, n, attempt }: Step): RecordedStep | undefined {
  return tape.ordered.find(
    ({ record }) => record.path === path && record.op === op && record.n === n && record.attempt === attempt,
  );
}
