import { guarded } from "../fault/faults.ts";
import type { DecidedAnswer, HeldAnswer, SentRequest } from "../source/answer.ts";
import type { OpenStep } from "./open-step.ts";

/** Decides a step that was held, now that its request is known. A fault of ours sends nothing. */
export function decideHeld(step: OpenStep, held: HeldAnswer, content: SentRequest): DecidedAnswer {
  const failed: DecidedAnswer = { from: "miss", error: new Error("the recorder has failed: nothing was sent") };
  const answer = guarded("decide", failed, () => held.decide(content));
  step.answer = answer;
  if (answer.from === "live") step.run.inFlight(step);
  return answer;
}
