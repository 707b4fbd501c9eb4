export { assertFixture, withOutput } from "./assert-fixture.ts";
export {
  type Definition,
  DEFINITION_ENDING,
  definitionText,
  type Fixture,
  type Outcome,
  readFixture,
  RUN_ENDING,
} from "./fixture/fixture.ts";
export { FixtureError, type FixtureErrorCode } from "./fixture/fixture-error.ts";
export { strayValues } from "./fixture/stray-values.ts";
export { judgeReplay } from "./judge-replay.ts";
export { isReproducible } from "./fixture/outcome.ts";
export { changes, judge, type Judgement } from "./fixture/judge.ts";
export { MockError, type MockErrorCode } from "./mock/mock-error.ts";
export { mockLLM, type MockLLM, type MockOptions } from "./mock/mock-llm.ts";
export type { ModelCall } from "./mock/model-call.ts";
export type { AnswerOptions, ReplyOptions, Seen, ToolCallOptions, When } from "./mock/script.ts";
export { matchToolCall, type ExpectedArguments } from "./match-tool-call.ts";
export type { FixtureReplay, ReplayFixtureOptions } from "./replay/fixture-replay.ts";
export { replay, replayFixture } from "./replay/replay.ts";
export { TOLD_VARIABLE, type ToldResult } from "./replay/tell-result.ts";
