import { createOperations, type OperationSpec } from "../operation.ts";
import type { RequestView } from "../view/view.ts";
import { filled, list, object, text, type JsonObject } from "../wire/json.ts";
import { joinLines, messageCalls, ollamaMessage, ollamaResponse } from "./response.ts";
import { splitBy } from "./split.ts";

const chat: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "chat",
  dimensions: splitBy({ messages: "messages", tools: ["tools"] }),
  request({ messages, tools, ...parameters }): RequestView {
    const read = list(messages).map((message) => ollamaMessage(object(message)));
    return { model: filled(parameters["model"]), parameters, messages: read, tools: list(tools) };
  },
  response: ollamaResponse,
  joined: joinLines,
  toolCalls: { signs: [/_calls/, /"tool_calls"/], read: messageCalls },
};

const generate: OperationSpec = {
  ...chat,
  task: "text_completion",
  dimensions: splitBy({ system: "system", messages: "prompt" }),
  request: generateRequest,
};

const embed: OperationSpec = {
  kind: "EMBEDDING",
  agentic: true,
  task: "embeddings",
  dimensions: splitBy({ messages: "input" }),
  request({ input, ...parameters }) {
    const texts = typeof input === "string" ? [input] : list(input).map((one) => text(one) ?? "");
    return { model: filled(parameters["model"]), parameters, texts };
  },
  response: ollamaResponse,
};

export const operations = createOperations({ chat, generate, embed });

function generateRequest({ prompt, system, images, ...parameters }: JsonObject): RequestView {
  const rules = filled(system);
  return {
    model: filled(parameters["model"]),
    parameters,
    messages: [
      ...(rules === undefined ? [] : [ollamaMessage({ role: "system", content: rules })]),
      ollamaMessage({ role: "user", content: prompt, images }),
    ],
  };
}
