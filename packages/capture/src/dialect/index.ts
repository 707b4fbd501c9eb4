// What the packages of single providers are built from; apart from the main entry, which every agent loads.
export { attachStepsAside } from "../attach.ts";
export { readEventStream, type StreamEvent } from "./event-stream.ts";
export {
  DialectInstrumentation,
  type DialectParts,
  type InstrumentationConfig,
  type OwnSpans,
} from "./instrumentation.ts";
export { count, filled, list, object, readJson, text, writeJson, type JsonObject } from "./json.ts";
export { dataUrlLabel, mediaLabel, sizeLabel } from "./media.ts";
export type { Message, Part, ToolCall } from "./message.ts";
export { createOperation, type Reading, type Wire } from "./operation.ts";
export type { Answered, Asked, Provider, Usage } from "./view.ts";
