import { createOperations, type OperationSpec } from "../operation.ts";
import { chatRequest } from "../openai/chat/request.ts";
import { filled, list, text } from "../wire/json.ts";
import { joinChatEvents } from "./chunks.ts";
import { answerCalls, billedResponse, chatResponse } from "./response.ts";
import { splitBy } from "./split.ts";

const chat: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "chat",
  dimensions: splitBy({ messages: "messages", tools: ["tools"] }),
  request: chatRequest,
  response: chatResponse,
  joined: joinChatEvents,
  toolCalls: { signs: [/_calls/, /"tool_calls"/], read: answerCalls },
};

const embed: OperationSpec = {
  kind: "EMBEDDING",
  agentic: true,
  task: "embeddings",
  dimensions: splitBy({ messages: "texts" }),
  request({ texts, inputs, images, ...parameters }) {
    const named = list(texts).map((one) => text(one) ?? "");
    const media = [...list(inputs), ...list(images)].map((_, n) => `[input ${n}]`);
    return { model: filled(parameters["model"]), parameters, texts: [...named, ...media] };
  },
  response: billedResponse,
};

const rerank: OperationSpec = {
  kind: "RERANKER",
  agentic: true,
  task: "rerank",
  dimensions: splitBy({ messages: "documents" }),
  request: (body) => ({ model: filled(body["model"]) }),
  response: billedResponse,
};

export const operations = createOperations({ chat, embed, rerank });
