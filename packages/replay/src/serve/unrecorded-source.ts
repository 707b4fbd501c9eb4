import { type Answer, type Content, LiveSource, type RunContext, type Step } from "@reenact/capture/recorder";
import { isRequest } from "../match/asked.ts";
import { replayMiss } from "./replay-miss.ts";
import { slotOf } from "../tape/tape.ts";

export interface UnrecordedHooks {
  /** a call was refused: a model, a tool, a question, or any request of an `agent()` call */
  missed(step: Step): void;
  /** a plain request of the process itself was refused */
  refusedRequest(target: string): void;
}

/**
 * The source of a run that no record fits. Its clock, random values and timers are real, since no record has others. No
 * call goes live: only functions without a call of a model or tool in them run.
 */
export class UnrecordedSource extends LiveSource {
  readonly #hooks: UnrecordedHooks;
  readonly #isProcess: boolean;

  constructor(run: RunContext, hooks: UnrecordedHooks) {
    super(run);
    this.#hooks = hooks;
    this.#isProcess = run.start.trigger === "process";
  }

  override begin(step: Step, content: Content | null): Answer {
    if (step.kind === "STEP" || step.kind === "DB") return { from: "live" };
    if (this.#isProcess && step.kind === "HTTP") this.#hooks.refusedRequest(targetOf(step, content));
    else this.#hooks.missed(step);
    return { from: "miss", error: replayMiss(slotOf(step), "no record of this run is at hand") };
  }
}

function targetOf(step: Step, content: Content | null): string {
  if (content === null || !isRequest(content)) return step.op;
  return `${content.method} ${content.url.split(/[?#]/, 1)[0]}`;
}
