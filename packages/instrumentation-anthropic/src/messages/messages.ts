import type { Reading } from "@reenact/capture/dialect";
import { splitMessages } from "../dimensions.ts";
import { joinMessageEvents } from "./chunks.ts";
import { askedOfMessages } from "./request.ts";
import { answeredByMessages } from "./response.ts";
import { messageToolAsks } from "./tool-asks.ts";

export const messages: Reading = {
  op: "anthropic.messages",
  kind: "LLM",
  agentic: true,
  name: "messages",
  task: "chat",
  dimensions: splitMessages,
  asked: askedOfMessages,
  answered: answeredByMessages,
  joined: joinMessageEvents,
  asks: { signs: [/_use"/, /"tool_use"/], read: messageToolAsks },
};

/** Counts the tokens of a request: no model runs. */
export const countTokens: Reading = {
  op: "anthropic.count_tokens",
  kind: "HTTP",
  agentic: true,
  name: "count_tokens",
  task: "count_tokens",
  dimensions: splitMessages,
  asked: askedOfMessages,
  answered: () => ({}),
};
