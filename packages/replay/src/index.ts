export { replayCommand, type ReplayCommand, type ReplayResult } from "./command.ts";
export { type GivenResult, givenValue, openQuestions, whyNotGiven } from "./tape/given-results.ts";
export { recordedArguments } from "./serve/agent-input.ts";
export type { LiveOptions, PlannedEdit } from "./live/live-options.ts";
export { loadTape } from "./tape/load-tape.ts";
export { withVault } from "./tape/tape-vault.ts";
export {
  type CallDifference,
  type EndpointRequest,
  type NamedStep,
  type NotServed,
  RecordedAnswers,
  type Served,
} from "./endpoint/recorded-answers.ts";
export { textDifference } from "./match/difference.ts";
export { recogniseCall } from "./match/recognise-call.ts";
export { exitCodeOf } from "./verdict/outcome.ts";
export type { ReplayReport } from "./verdict/replay-report.ts";
export type { Mode } from "./child/plan.ts";
export { ReplayMiss } from "./serve/replay-miss.ts";
export { type Tape, type RecordedStep, tapeOf } from "./tape/tape.ts";
export { toolStops } from "./tools/unrecorded-tools.ts";
export type { CallVerdict, Divergence, Finding } from "./verdict/verdict.ts";
export { replay, type Replayed, type ReplayOptions } from "./in-process.ts";
export { type ToolCall, toolCall } from "./tools/tool-calls.ts";
export { addDummyKeys, seesOwnValue } from "./child/environment.ts";
