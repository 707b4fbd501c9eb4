import { filled, list, object, text, type Reading } from "@reenact/capture/dialect";
import { splitBy } from "../dimensions.ts";
import { readUsage } from "../usage.ts";

export const embeddings: Reading = {
  op: "openai.embeddings",
  kind: "EMBEDDING",
  agentic: true,
  name: "embeddings",
  task: "embeddings",
  dimensions: splitBy({ messages: "input" }),
  asked(body) {
    const { input, ...parameters } = body;
    return { model: filled(body["model"]), parameters, texts: textsOf(input) };
  },
  answered: (body) => ({ id: filled(body["id"]), model: filled(body["model"]), usage: readUsage(body["usage"]) }),
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
