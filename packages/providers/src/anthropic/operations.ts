import { auxiliaries } from "../auxiliary.ts";
import { createOperations } from "../operation.ts";
import { countTokens, messages } from "./messages/messages.ts";
import { splitMessages } from "./split.ts";

const auxiliary = auxiliaries(splitMessages);

export const operations = createOperations({
  messages,
  count_tokens: countTokens,
  batches: auxiliary("batches", { agentic: true }),
  "batches.get": auxiliary("batches.get"),
  "batches.cancel": auxiliary("batches.cancel"),
  "batches.delete": auxiliary("batches.delete"),
});
