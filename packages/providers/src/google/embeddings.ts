import type { OperationSpec } from "../operation.ts";
import type { RequestView } from "../view/view.ts";
import { count, filled, list, object, text, type JsonObject } from "../wire/json.ts";
import { splitBy } from "./split.ts";

const embedding = { kind: "EMBEDDING", agentic: true, task: "embeddings" } as const;

export const embed: OperationSpec = {
  ...embedding,
  dimensions: splitBy({ messages: "content" }),
  request({ content, ...parameters }) {
    return { parameters, texts: [textOf(content)] };
  },
  response: embeddingResponse,
};

export const embedBatch: OperationSpec = {
  ...embedding,
  dimensions: splitBy({ messages: "requests" }),
  request: ({ requests }) => ({ texts: list(requests).map((one) => textOf(object(one)["content"])) }),
  response: embeddingResponse,
};

/** Vertex's address of embedding models; pictures and videos are made at the same one. */
export const predict: OperationSpec = {
  ...embedding,
  dimensions: splitBy({ messages: "instances" }),
  request({ instances, ...parameters }): RequestView {
    const texts = list(instances).map((value) => text(object(value)["content"]) ?? text(object(value)["prompt"]));
    return { parameters, texts: texts.filter((one) => one !== undefined) };
  },
  response(body) {
    const tokens = list(body["predictions"]).map((value) => {
      const statistics = object(object(object(value)["embeddings"])["statistics"]);
      return count(statistics["token_count"]);
    });
    const known = tokens.filter((n) => n !== undefined);
    return known.length === 0 ? {} : { usage: { input: known.reduce((a, b) => a + b, 0) } };
  },
};

function textOf(content: unknown): string {
  return list(object(content)["parts"])
    .map((part) => text(object(part)["text"]) ?? "")
    .join("");
}

function embeddingResponse(body: JsonObject): { model: string | undefined; usage?: { input: number | undefined } } {
  const input = count(object(body["usageMetadata"])["promptTokenCount"]);
  return { model: filled(body["modelVersion"]), ...(input === undefined ? {} : { usage: { input } }) };
}
