import { createOperations, type OperationSpec } from "../operation.ts";
import { joinConverse } from "./chunks.ts";
import { invoke } from "./invoke.ts";
import { converseRequest } from "./request.ts";
import { converseCalls, converseResponse } from "./response.ts";
import { splitConverse, splitInvoked } from "./split.ts";

const converse: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "chat",
  dimensions: splitConverse,
  request: converseRequest,
  response: converseResponse,
  joined: joinConverse,
  toolCalls: { signs: [/toolUse/], read: converseCalls },
};

export const operations = createOperations({
  converse,
  "converse.stream": converse,
  invoke,
  "invoke.stream": invoke,
  /** counts the tokens of a request: no model runs */
  count: { ...invoke, kind: "HTTP", agentic: false, task: "count_tokens", dimensions: splitInvoked },
});
