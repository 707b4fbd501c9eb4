import type { OperationSpec } from "../../operation.ts";
import { splitMessages } from "../split.ts";
import { joinMessageEvents } from "./chunks.ts";
import { messagesRequest } from "./request.ts";
import { messagesResponse } from "./response.ts";
import { messageToolCalls } from "./tool-calls.ts";

export const messages: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "chat",
  dimensions: splitMessages,
  request: messagesRequest,
  response: messagesResponse,
  joined: joinMessageEvents,
  toolCalls: { signs: [/_use"/, /"tool_use"/], read: messageToolCalls },
};

/** Counts the tokens of a request: no model runs. */
export const countTokens: OperationSpec = {
  kind: "HTTP",
  agentic: true,
  task: "count_tokens",
  dimensions: splitMessages,
  request: messagesRequest,
  response: () => ({}),
};
