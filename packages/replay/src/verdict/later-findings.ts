import type { FoundDraw } from "../serve/unexpected-draw.ts";
import type { CallEntry } from "./call-entry.ts";
import { type Divergence, isFaithful } from "./verdict.ts";

interface Later {
  readonly divergence: Divergence;
  /** the call that it is about */
  readonly entry: CallEntry | null;
  readonly position: number;
}

/** What was found behind a first divergence that may turn out to be none. */
export class LaterFindings {
  drawn: FoundDraw | null = null;
  readonly #found: Later[] = [];

  add(later: Later): void {
    this.#found.push(later);
  }

  /** The first one that is a divergence still. */
  get first(): Later | undefined {
    return this.#found.find(({ entry }) => entry === null || !isFaithful(entry.verdict));
  }
}
