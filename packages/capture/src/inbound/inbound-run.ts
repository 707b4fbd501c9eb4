import { recorder } from "../run/recorder.ts";
import { Run } from "../run/run.ts";
import type { RunStart, RunTrigger } from "../run/run-start.ts";
import { nextSequence } from "../run/sequence.ts";
import { endStartUp } from "../run/server-mode.ts";

export interface InboundRunStart {
  readonly trigger: Extract<RunTrigger, "request" | "job">;
  readonly name: string;
  /** typed encoding of what came: asked for when it is written */
  input(): string;
  /** called when the run takes its first agentic step */
  activated?(): void;
}

/** A run of what comes to a program from outside. It is written, and counted, if an agentic step is taken in its async context. */
export function inboundRun({ trigger, name, input, activated }: InboundRunStart): Run {
  const start: RunStart = {
    trigger,
    name,
    sequence: -1,
    // also of a run that its process ends: what has come of it until then
    get input() {
      return input();
    },
    activated() {
      start.sequence = nextSequence();
      recorder.onActive(run);
      endStartUp();
      activated?.();
    },
  };
  const run: Run = new Run(start);
  return run;
}
