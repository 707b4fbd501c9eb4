import type { OpenStep } from "./open-step.ts";

/** Tells a replay that the agent may wait for what had not come when the recorded run ended, and never comes. */
export function offerOpen({ run, frame, index }: OpenStep, part: number): void {
  run.source.gate.offer({
    kind: part === 0 ? "h" : "c",
    id: index,
    part,
    scope: frame.scope,
    open: true,
    dead: () => false,
    referenced: () => true,
    fire: () => {},
  });
}
