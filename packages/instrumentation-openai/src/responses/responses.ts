import type { Reading } from "@reenact/capture/dialect";
import { splitBy } from "../dimensions.ts";
import { joinResponseEvents } from "./chunks.ts";
import { askedOfResponses } from "./request.ts";
import { answeredByResponses } from "./response.ts";
import { responseToolAsks } from "./tool-asks.ts";

export const responses: Reading = {
  op: "openai.responses",
  kind: "LLM",
  agentic: true,
  name: "responses",
  task: "chat",
  dimensions: splitBy({ system: "instructions", messages: "input", tools: ["tools"] }),
  asked: askedOfResponses,
  answered: answeredByResponses,
  joined: joinResponseEvents,
  asks: { signs: [/_call"/], read: responseToolAsks },
};

/** Shortens a conversation: a model runs, the answer is items. */
export const compact: Reading = { ...responses, op: "openai.responses.compact", name: "responses.compact" };

/** Counts the tokens of a request: no model runs. */
export const countInput: Reading = {
  ...responses,
  op: "openai.responses.input_tokens",
  kind: "HTTP",
  name: "responses.input_tokens",
  task: "count_tokens",
};

/** Asks for a response that was started in the background: the model's answer, with its tool calls, arrives here. */
export const retrieve: Reading = { ...responses, op: "openai.responses.retrieve", name: "responses.retrieve" };
