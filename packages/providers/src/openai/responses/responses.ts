import type { OperationSpec } from "../../operation.ts";
import { splitBy } from "../split.ts";
import { joinResponseEvents } from "./chunks.ts";
import { responsesRequest } from "./request.ts";
import { responsesResponse } from "./response.ts";
import { responseToolCalls } from "./tool-calls.ts";

export const responses: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "chat",
  dimensions: splitBy({ system: "instructions", messages: "input", tools: ["tools"] }),
  request: responsesRequest,
  response: responsesResponse,
  joined: joinResponseEvents,
  toolCalls: { signs: [/_call"/], read: responseToolCalls },
};

/** Counts the tokens of a request: no model runs. */
export const countInput: OperationSpec = { ...responses, kind: "HTTP", task: "count_tokens" };
