import { createOperations, type OperationSpec } from "../operation.ts";
import { chatRequest } from "../openai/chat/request.ts";
import { chatResponse } from "../openai/chat/response.ts";
import { chatToolCalls } from "../openai/chat/tool-calls.ts";
import { embeddings } from "../openai/embeddings/embeddings.ts";
import { moderations } from "../openai/moderations/moderations.ts";
import { joinPaddedChunks } from "./chunks.ts";
import { fimRequest } from "./request.ts";
import { splitBy } from "./split.ts";

/** Requests, answers and chunks have the form of OpenAI's chat. */
const chat: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "chat",
  dimensions: splitBy({ messages: "messages", tools: ["tools"] }),
  request: chatRequest,
  response: chatResponse,
  joined: joinPaddedChunks,
  toolCalls: { signs: [/_call/, /"tool_calls"/], read: chatToolCalls },
};

/** Fills the middle between `prompt` and `suffix`; the answer has the form of a chat. */
const fim: OperationSpec = {
  ...chat,
  task: "text_completion",
  dimensions: splitBy({ messages: "prompt" }),
  request: fimRequest,
};

export const operations = createOperations({
  chat,
  agents: chat,
  fim,
  embeddings: { ...embeddings, dimensions: splitBy({ messages: "input" }) },
  moderations: { ...moderations, dimensions: splitBy({ messages: "input" }) },
  "chat.moderations": { ...moderations, dimensions: splitBy({ messages: "input" }) },
});
