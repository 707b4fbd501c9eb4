export type { Answer, Failure, ToolCall } from "./answer.ts";
export type { Ask, AskMessage, ToolOffer } from "./ask.ts";
export { formatOf } from "./formats.ts";
export { framesOf, type Frames } from "./frames.ts";
export { asJson, asList, type Json } from "./json.ts";
export { readAsk, type ReceivedRequest } from "./read-ask.ts";
