import type { Asked } from "./match/asked.ts";
import { sameContent } from "./match/content-keys.ts";
import type { TapedStep } from "./tape.ts";

const MOST = 64;

/** Recorded steps that were served to a call that asks something else. If one of them is asked for later, that call is new. */
export class Displaced {
  readonly #steps: TapedStep[] = [];

  /** `asked`: the call that was served from it. */
  add(step: TapedStep, asked: Asked): void {
    if (this.#steps.length < MOST && !sameContent(asked, step)) this.#steps.push(step);
  }

  /** `asked`: a call of this operation that no record at its place fits. */
  find(asked: Asked | null, op: string): TapedStep | null {
    if (asked === null || asked.text === null) return null;
    return this.#steps.find((step) => step.record.op === op && sameContent(asked, step)) ?? null;
  }
}
