import { isInbound, isListening, jobReceivers, originals } from "@reenact/capture/recorder";
import type { Session } from "../session.ts";
import { isRequested, type Tape } from "../tape/tape.ts";

const LOOK_MS = 250;
/** time for the program to answer, and for work beside it to end */
const LOOKS = 8;
/** The run of a request or job has ended because nothing happened for a while. */
const LOOKS_REQUEST = 2;

/** A program that waits for requests or jobs goes on for ever: the replay of one of them, of an `agent()` call or of its start-up is over with that. */
export function endWhenServed(session: Session, target: Tape, end: () => void): void {
  const { trigger, startUp = false } = target.root;
  if (!isRequested(target.root) && !startUp) return;
  const most = isInbound(trigger) || startUp ? LOOKS_REQUEST : LOOKS;
  let looks = 0;
  originals
    .setInterval(() => {
      looks =
        (startUp ? session.hasAllSteps : session.isServed) && (isListening() || jobReceivers().length > 0)
          ? looks + 1
          : 0;
      if (looks !== most) return;
      session.endedServer = true;
      end();
    }, LOOK_MS)
    .unref();
}
