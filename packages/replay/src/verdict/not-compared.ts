import { isInbound } from "@reenact/capture/recorder";
import { isRequested, type Tape } from "../tape/tape.ts";

const OUTSIDE_AGENTS =
  "not compared: what the process does outside its agent() calls, requests and jobs (output, files, exit code), and output inside them";

const KILLED_BEHIND_ANSWER =
  "the recorded process was killed right behind its answer: the replay ended there, and what comes after it is not compared";

/** What of a run a replay does not compare, for people. `hasProcessRun`: the run of the process around it is at hand. */
export function notCompared({ root }: Tape, hasProcessRun: boolean): string[] {
  return [
    ...(root.answered === true ? [KILLED_BEHIND_ANSWER] : []),
    ...(isRequested(root) && !hasProcessRun ? [OUTSIDE_AGENTS] : []),
  ];
}

/** Why a run that was recorded has not begun here. */
export function causeOfNeverBegun({ root: { trigger, name = "" } }: Tape): string {
  if (trigger === "function") return `agent ${name} was never called`;
  if (isInbound(trigger)) return `the program never got the ${trigger} ${name}`;
  return "the recorded run never began";
}
