import { createOperations, type OperationSpec } from "../operation.ts";
import { joinCandidates } from "./chunks.ts";
import { embed, embedBatch, predict } from "./embeddings.ts";
import { generateRequest } from "./request.ts";
import { candidateCalls, generateResponse } from "./response.ts";
import { splitBy } from "./split.ts";

const generate: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "generate_content",
  dimensions: splitBy({ system: "systemInstruction", messages: "contents", tools: ["tools"] }),
  request: generateRequest,
  response: generateResponse,
  joined: joinCandidates,
  toolCalls: { signs: [/Call"/, /"functionCall"/], read: candidateCalls },
};

export const operations = createOperations({
  generate,
  "generate.stream": generate,
  embed,
  "embed.batch": embedBatch,
  predict,
  /** counts the tokens of a request: no model runs */
  count: { ...generate, kind: "HTTP", agentic: false, task: "count_tokens" },
});
