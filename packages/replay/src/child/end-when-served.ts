import { isInbound, isListening, jobReceivers, originals } from "@reenact/capture/recorder";
import type { Session } from "../session.ts";
import { ServingProbe } from "./serving-probe.ts";
import { isRequested, type Tape } from "../tape/tape.ts";

const LOOK_MS = 250;
/** time for work beside the program's answer to end, where it is not known that there is none */
const LOOKS = 8;
/** how often it is looked whether the program has nothing to do but to listen */
const PROBE_MS = 50;
/** The run of a request or job has ended because nothing happened for a while. */
const LOOKS_REQUEST = 2;

/** A program that waits for requests or jobs goes on for ever: the replay of one of them, of an `agent()` call or of its start-up is over with that. */
export function endWhenServed(session: Session, target: Tape, end: () => void): void {
  const { trigger, startUp = false } = target.root;
  if (!isRequested(target.root) && !startUp) return;
  const most = isInbound(trigger) || startUp ? LOOKS_REQUEST : LOOKS;
  let looks = 0;
  const isOver = (): boolean => (startUp ? session.hasAllSteps : session.isServed);
  const endServer = (): void => {
    session.endedServer = true;
    end();
  };
  const probe = new ServingProbe(() => session.awaited === null && isOver() && endServer());
  originals
    .setInterval(() => {
      looks = isOver() && (isListening() || jobReceivers().length > 0) ? looks + 1 : 0;
      if (looks === most) endServer();
    }, LOOK_MS)
    .unref();
  if (startUp) return;
  originals
    .setInterval(() => {
      if (session.awaited === null && isListening() && isOver()) probe.open();
      else probe.close();
    }, PROBE_MS)
    .unref();
}
