import { filled, list, object, text } from "../../wire/json.ts";
import type { OperationSpec } from "../../operation.ts";
import { splitBy } from "../split.ts";
import { readUsage } from "../usage.ts";

export const embeddings: OperationSpec = {
  kind: "EMBEDDING",
  agentic: true,
  task: "embeddings",
  dimensions: splitBy({ messages: "input" }),
  request(body) {
    const { input, ...parameters } = body;
    return { model: filled(body["model"]), parameters, texts: textsOf(input) };
  },
  response: (body) => ({ id: filled(body["id"]), model: filled(body["model"]), usage: readUsage(body["usage"]) }),
};

/** One text, several, one list of tokens, several, or the mixed content of a compatible host. */
function textsOf(input: unknown): string[] {
  if (typeof input === "string") return [input];
  const entries = list(input);
  if (typeof entries[0] === "number") return [`[${entries.length} tokens]`];
  return entries.map((entry) => {
    if (Array.isArray(entry)) return `[${entry.length} tokens]`;
    return (
      text(entry) ??
      list(object(entry)["content"])
        .map((part) => text(object(part)["text"]) ?? "")
        .join("")
    );
  });
}
