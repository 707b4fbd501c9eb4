import type { Tape } from "../tape/tape.ts";

export interface TapeOptions {
  mode: "strict" | "observe";
  runTools: ReadonlySet<string>;
  serveTools: ReadonlySet<string>;
  /** the caller of a replay in this process gives the agent arguments of its own */
  otherInput?: boolean;
}

/** Whether `--run-tool` can name a call of this kind: a tool() or a step(). What input() asks has no body. */
export const hasBody = (kind: string): boolean => kind === "TOOL" || kind === "STEP";

/** Which bodies of tools and steps do not run, and which run outside the recorded order. */
export function toolPlan(tape: Tape, options: TapeOptions): { served: Set<number>; free: Set<number> } {
  const served = new Set<number>();
  const free = new Set<number>();
  for (const step of tape.ordered) {
    if (step.record.call === undefined) continue;
    if (options.runTools.has(step.name) && hasBody(step.kind)) free.add(step.index);
    else if (!tape.composite.has(step.index) || options.serveTools.has(step.name)) served.add(step.index);
  }
  return { served, free };
}
