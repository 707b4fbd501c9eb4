export type { AlignedText } from "./context/align-texts.ts";
export { contextOf, type StepContext } from "./context/step-context.ts";
export { effectLines, WRAP } from "./effects/effect-lines.ts";
export {
  continuesAfterRefusal,
  effectName,
  isNativeCode,
  isRefused,
  type UnrecordedEffect,
  unrecordedEffects,
} from "./effects/unrecorded-effect.ts";
export { unrecordedTools } from "./effects/unrecorded-tools.ts";
export { type ExplainedCall, type ExplainedValue, explainStep, modelCallsOf } from "./explain/explain-calls.ts";
export type { ValueSource } from "./explain/find-value.ts";
export type { ReadText } from "./explain/read-texts.ts";
export { compareSteps, diffRuns, type DiffRow, type RunDiff, type StepsDiff } from "./run/run-diff.ts";
export { durationMs, type RunRow, runRow } from "./run/run-row.ts";
export { outlineOf, type RunCause, type RunOutline } from "./run/run-outline.ts";
export { type RunReplay, runReplay } from "./run/run-replay.ts";
export { type RunView, runView } from "./run/run-view.ts";
export type { StepChange } from "./step/step-changes.ts";
export { itemsOf, type StepItem, type StepItems } from "./step/step-items.ts";
export { type Decision, decisionOf } from "./step/decision.ts";
export { messagesOf, type StepMessages } from "./step/step-messages.ts";
export { redactionsOf, type StepRedactions } from "./step/step-redactions.ts";
export { type StepTokens, type StepView, stepsOf } from "./step/step-view.ts";
export type { StreamEvent } from "./step/stream-events.ts";
export { count, dollars, duration, oneLine, safe } from "./text/plain-text.ts";
export { redactedLine, tokenMarks } from "./text/token-marks.ts";
