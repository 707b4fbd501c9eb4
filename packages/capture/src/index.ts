// For agents: what a user's code calls. For our packages: the interfaces that a provider and a scrubber implement.
export { agent } from "./api/agent.ts";
export { branch } from "./api/branch.ts";
export { flag, identify, type Identity, sensitive } from "./api/flag.ts";
export { input } from "./api/input.ts";
export { step } from "./api/step.ts";
export { tool } from "./api/tool.ts";
export type {
  AnswerText,
  AttributeValue,
  Dialect,
  Operation,
  RequestHead,
  StepKind,
  RequestedToolCall,
  View,
} from "./span/dialect.ts";
export type { Scrubber } from "./redact/scrubber.ts";
export type { Edit, RedactedPlace, Scrubbed, ScrubHint } from "./redact/scrubbed.ts";
