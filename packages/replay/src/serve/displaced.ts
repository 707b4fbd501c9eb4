import type { Asked } from "../match/asked.ts";
import { sameContent } from "../match/content-keys.ts";
import type { RecordedStep } from "../tape/tape.ts";

const MOST = 64;

interface Served {
  readonly step: RecordedStep;
  /** the call that was served from it */
  readonly asked: Asked;
  /** that call for people */
  readonly name: string;
}

/** Recorded steps that were served to a call that asks something else. If one of them is asked for later, that call is new. */
export class Displaced {
  readonly #served: Served[] = [];

  /** `asked`: the call that was served from it. */
  add(step: RecordedStep, asked: Asked, name: string): void {
    if (this.#served.length < MOST && !sameContent(asked, step)) this.#served.push({ step, asked, name });
  }

  /** `asked`: a call of this operation that no record at its place fits. */
  find(asked: Asked | null, op: string): Served | null {
    if (asked === null || (asked.text === null && asked.bytes !== undefined)) return null;
    return this.#served.find(({ step }) => step.record.op === op && sameContent(asked, step)) ?? null;
  }
}
