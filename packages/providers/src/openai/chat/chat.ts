import type { OperationSpec } from "../../operation.ts";
import { splitBy } from "../split.ts";
import { joinChatChunks } from "./chunks.ts";
import { chatRequest } from "./request.ts";
import { chatResponse } from "./response.ts";
import { chatToolCalls } from "./tool-calls.ts";

export const chat: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "chat",
  dimensions: splitBy({ messages: "messages", tools: ["tools", "functions"] }),
  request: chatRequest,
  response: chatResponse,
  joined: joinChatChunks,
  toolCalls: { signs: [/_call/, /"(?:tool_calls|function_call)"/], read: chatToolCalls },
};
