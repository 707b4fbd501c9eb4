import type { Reading } from "@reenact/capture/dialect";
import { splitBy } from "../dimensions.ts";
import { joinChatChunks } from "./chunks.ts";
import { askedOfChat } from "./request.ts";
import { answeredByChat } from "./response.ts";
import { chatToolAsks } from "./tool-asks.ts";

export const chat: Reading = {
  op: "openai.chat",
  kind: "LLM",
  agentic: true,
  name: "chat",
  task: "chat",
  dimensions: splitBy({ messages: "messages", tools: ["tools", "functions"] }),
  asked: askedOfChat,
  answered: answeredByChat,
  joined: joinChatChunks,
  asks: { signs: [/_call/, /"(?:tool_calls|function_call)"/], read: chatToolAsks },
};
