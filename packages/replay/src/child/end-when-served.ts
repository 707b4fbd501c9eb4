import { isListening, originals } from "@reenact/capture/recorder";
import type { Session } from "../session.ts";
import { isRequested, type Tape } from "../tape/tape.ts";

const LOOK_MS = 250;
/** time for the program to answer, and for work beside it to end */
const LOOKS = 8;

/** A program that listens goes on for ever: the replay of one `agent()` call or request in it is over with that call. */
export function endWhenServed(session: Session, target: Tape, end: () => void): void {
  if (!isRequested(target.root)) return;
  let looks = 0;
  originals
    .setInterval(() => {
      looks = session.isServed && isListening() ? looks + 1 : 0;
      if (looks !== LOOKS) return;
      session.endedServer = true;
      end();
    }, LOOK_MS)
    .unref();
}
