import { generateResponse } from "../google/response.ts";
import { contentMessages } from "../google/request.ts";
import { joinLines } from "../ollama/response.ts";
import { joinChatChunks } from "../openai/chat/chunks.ts";
import { chatMessage, toolCalls } from "../openai/chat/request.ts";
import { chatResponse } from "../openai/chat/response.ts";
import { chatToolCalls } from "../openai/chat/tool-calls.ts";
import { readUsage } from "../openai/usage.ts";
import { createOperations, type OperationSpec } from "../operation.ts";
import { splitter } from "../split.ts";
import type { Message } from "../view/message.ts";
import type { RequestView, ResponseView } from "../view/view.ts";
import type { StreamEvent } from "../wire/event-stream.ts";
import { filled, list, object, type JsonObject } from "../wire/json.ts";

const splitBy = splitter({
  unkeyed: [],
  opaque: [],
  opaqueData: "",
  verbatim: ["parameters"],
  systemRoles: ["system"],
});
const ofMessages = splitBy({ system: "system", tools: ["tools"], messages: "messages" });
const ofContents = splitBy({ system: "system", tools: ["tools"], messages: "contents" });
const ofPrompt = splitBy({ system: "system", tools: ["tools"], messages: "prompt" });

/** A thin view: what the common formats have under the names that they have it. */
const generate: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "chat",
  dimensions(body, model) {
    const has = (key: string): boolean => body.type === "object" && body.members.some((each) => each.key === key);
    if (has("messages")) return ofMessages(body, model);
    return has("contents") ? ofContents(body, model) : ofPrompt(body, model);
  },
  request: generateRequest,
  response: answerOf,
  joined,
  toolCalls: {
    signs: [/_call/, /"(?:tool_calls|function_call)"/],
    read: (body) => (body["choices"] === undefined ? toolCalls(object(body["message"])) : chatToolCalls(body)),
  },
};

export const operations = createOperations({ generate });

function generateRequest({ messages, contents, prompt, system, tools, ...parameters }: JsonObject): RequestView {
  const rules = filled(system);
  return {
    model: filled(parameters["model"]) ?? filled(parameters["model_id"]) ?? filled(parameters["modelId"]),
    parameters,
    messages: [
      ...(rules === undefined ? [] : [chatMessage({ role: "system", content: rules })]),
      ...list(messages).map(chatMessage),
      ...list(contents).flatMap((content) => contentMessages(content, "user")),
      ...promptMessages(prompt),
    ],
    tools: list(tools),
  };
}

function promptMessages(prompt: unknown): Message[] {
  const texts = typeof prompt === "string" ? [prompt] : list(prompt).filter((each) => typeof each === "string");
  return texts.map((content) => chatMessage({ role: "user", content }));
}

/** Where an answer of a format that is not known may have its text, the likeliest first. */
const TEXTS = ["response", "output_text", "output", "completion", "generated_text", "generation", "text", "answer"];

function answerOf(body: JsonObject): ResponseView {
  if (body["choices"] !== undefined) return chatResponse(body);
  if (body["candidates"] !== undefined) return generateResponse(body);
  const { message, content } = body;
  const said = TEXTS.map((key) => filled(body[key])).find((text) => text !== undefined);
  const one = (value: JsonObject): Message[] => [chatMessage({ role: "assistant", ...value })];
  const messages =
    typeof message === "object" && message !== null
      ? one(object(message))
      : typeof content === "string" || Array.isArray(content)
        ? one({ content })
        : said === undefined
          ? []
          : one({ content: said });
  const reason = filled(body["finish_reason"]) ?? filled(body["stop_reason"]);
  return {
    id: filled(body["id"]),
    model: filled(body["model"]),
    finish: reason === undefined ? [] : [reason],
    messages,
    usage: readUsage(body["usage"]),
  };
}

function joined(events: readonly StreamEvent[]): JsonObject | null {
  return events.some(({ value }) => object(value)["choices"] !== undefined)
    ? joinChatChunks(events)
    : joinLines(events);
}
