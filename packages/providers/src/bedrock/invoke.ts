import { joinMessageEvents } from "../anthropic/messages/chunks.ts";
import { messagesRequest } from "../anthropic/messages/request.ts";
import { messagesResponse } from "../anthropic/messages/response.ts";
import { messageToolCalls } from "../anthropic/messages/tool-calls.ts";
import type { OperationSpec } from "../operation.ts";
import { chatRequest } from "../openai/chat/request.ts";
import { chatResponse } from "../openai/chat/response.ts";
import { chatToolCalls } from "../openai/chat/tool-calls.ts";
import { joinChatChunks } from "../openai/chat/chunks.ts";
import { filled, list, object, text, type JsonObject } from "../wire/json.ts";
import { invokedEvents, joinConverse } from "./chunks.ts";
import { converseRequest } from "./request.ts";
import { converseCalls, converseResponse } from "./response.ts";
import { splitInvoked } from "./split.ts";

/** A model of any maker, read by the form of its body: Anthropic's, that of a chat, Converse's, or a prompt. */
export const invoke: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "chat",
  dimensions: splitInvoked,
  request(body) {
    if (body["anthropic_version"] !== undefined) return messagesRequest(body);
    const [first] = list(body["messages"]);
    if (typeof object(first)["content"] === "string") return chatRequest(body);
    if (first !== undefined) return converseRequest(body);
    const { prompt, inputText, ...parameters } = body;
    const said = filled(prompt) ?? filled(inputText);
    const messages = said === undefined ? [] : [{ role: "user", parts: [{ type: "text", text: said }] }];
    return { parameters, messages };
  },
  response(body) {
    if (body["type"] === "message") return messagesResponse(body);
    if (body["choices"] !== undefined) return chatResponse(body);
    if (body["output"] !== undefined) return converseResponse(body);
    const said = filled(body["generation"]) ?? text(object(list(body["results"])[0])["outputText"]);
    return said === undefined ? {} : { messages: [{ role: "assistant", parts: [{ type: "text", text: said }] }] };
  },
  joined(events) {
    const inner = invokedEvents(events);
    if (inner.some(({ name }) => name === "message_start")) return joinMessageEvents(inner);
    if (inner.some(({ value }) => object(value)["choices"] !== undefined)) return joinChatChunks(inner);
    return joinConverse(inner);
  },
  toolCalls: { signs: [/_use|_call|toolUse|bytes/], read: calls },
};

function calls(body: JsonObject): ReturnType<typeof converseCalls> {
  if (body["type"] === "message") return messageToolCalls(body);
  return body["choices"] === undefined ? converseCalls(body) : chatToolCalls(body);
}
