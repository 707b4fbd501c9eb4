export { replayCommand, type ReplayCommand, type ReplayResult } from "./command.ts";
export { loadTape } from "./load-tape.ts";
export { exitCodeOf, type ReplayReport } from "./outcome.ts";
export type { Mode } from "./plan.ts";
export { ReplayMiss } from "./replay-miss.ts";
export { type Tape, type TapedStep, tapeOf } from "./tape.ts";
export { toolStops } from "./unrecorded-tools.ts";
export type { CallVerdict, Divergence, Finding } from "./verdict.ts";
export { replay, type Replayed, type ReplayOptions } from "./in-process.ts";
