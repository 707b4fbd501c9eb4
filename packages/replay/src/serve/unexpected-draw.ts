import type { Divergence } from "../verdict/verdict.ts";

/** The agent has drawn what the record does not hold at this place. */
export interface Draw {
  /** in words */
  readonly what: string;
  /** the step that the record expects next; null at its end */
  readonly expected: number | null;
  /** where in the program, the likeliest first */
  readonly places: readonly string[];
  /** code of a package has drawn it */
  readonly inPackage: boolean;
}

/** How far the replay was when something was found: so many deliveries. */
export interface FoundDraw extends Draw {
  readonly position: number;
}

export function causeOfDraw({ what, expected, places: [at, ...before] }: Draw): string {
  const near = expected === null ? "after the last step" : `before step ${expected + 1}`;
  const where = at === undefined ? "" : `, at ${at}`;
  const or =
    before.length === 0 ? "" : ` (or before that, at ${before.join(", ")}: the record does not tell them apart)`;
  return `the agent asks for ${what} where the recorded run did not, ${near}${where}${or}`;
}

/** A call more or less, or what was refused. */
const OF_CALLS = new Set(["extra", "exhausted", "wrong-tool", "reordered", "missing", "leak", "error"]);
/** A wait less. */
const OF_WAITS = new Set(["unfinished", "delay-changed"]);
/** No call differs, but what came of all of them. */
const OF_RUNS = new Set(["output-changed", "exit-code-changed", "no-substance", "order"]);

/**
 * Whether what was found after a draw is the cause of it. A package draws because of a call that the program makes; the
 * program's own draw belongs to a call only where nothing was delivered between them, or where the record expects a call
 * that never came. A draw behind a wait that the program has left out comes too early because of it.
 */
export function explainsDraw(
  { verdict, step }: Pick<Divergence, "verdict" | "step">,
  position: number,
  draw: FoundDraw,
): boolean {
  if (draw.inPackage) return !OF_RUNS.has(verdict);
  if (OF_WAITS.has(verdict)) return position <= draw.position;
  if (verdict === "missing") return draw.expected !== null && step === draw.expected + 1;
  return OF_CALLS.has(verdict) && position === draw.position;
}
