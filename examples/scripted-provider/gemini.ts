import type { Answer } from "./answer.ts";
import { type Ask, asJson, asList, type Json } from "./ask.ts";
import { pieces } from "./pieces.ts";
import { partsNamed, textOf, tokens } from "./wire-words.ts";
import type { Wire } from "./wire.ts";

const ROUTE = /\/([^/:]+):(generateContent|streamGenerateContent|embedContent|batchEmbedContents)(?:$|\?)/;

function messages(content: Json): Json[] {
  const results = partsNamed(content["parts"], "functionResponse");
  if (results.length > 0)
    return results.map((result) => ({ role: "tool", content: JSON.stringify(result["response"]) }));
  return [{ role: content["role"] === "model" ? "assistant" : "user", content: content["parts"] }];
}

function usage(ask: Ask, answer: Answer): Json {
  const { input, output } = tokens(ask, answer);
  return { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output };
}

function response(ask: Ask, parts: Json[], finishReason?: string): Json {
  const candidate = { content: { parts, role: "model" }, index: 0, ...(finishReason ? { finishReason } : {}) };
  return { candidates: [candidate], modelVersion: `${ask.model}-001`, responseId: `resp-${ask.serial}` };
}

function calls(ask: Ask, answer: Answer): Json[] {
  return (answer.calls ?? []).map(({ name, args }, at) => ({
    functionCall: { id: `fc_${ask.serial}_${at}`, name, args },
    thoughtSignature: Buffer.from(ask.serial).toString("base64"),
  }));
}

/** Google's `generateContent`, its stream, and embeddings. */
export const gemini: Wire = {
  path: ROUTE,
  mime: "text/event-stream",
  chat(body, path) {
    const [, model = "", verb = ""] = ROUTE.exec(path) ?? [];
    return {
      model,
      stream: verb === "streamGenerateContent",
      messages: asList(body["contents"]).map(asJson).flatMap(messages),
      tools: asList(body["tools"])
        .flatMap((tool) => asList(asJson(tool)["functionDeclarations"]))
        .map(asJson)
        .map((tool) => ({ ...tool, parameters: tool["parametersJsonSchema"] ?? tool["parameters"] })),
    };
  },
  document(ask, answer) {
    if (ask.path.includes(":embedContent")) return { embedding: { values: [0.25, 0.5] } };
    if (ask.path.includes(":batchEmbed"))
      return { embeddings: asList(ask.body["requests"]).map((_, at) => ({ values: [at, 0.5] })) };
    const text = textOf(answer);
    const parts = [...(text === "" ? [] : [{ text }]), ...calls(ask, answer)];
    return { ...response(ask, parts, "STOP"), usageMetadata: usage(ask, answer) };
  },
  events(ask, answer) {
    const chunks = pieces(textOf(answer), answer.pieces).map((text) => response(ask, [{ text }]));
    const last = { ...response(ask, calls(ask, answer), "STOP"), usageMetadata: usage(ask, answer) };
    return [...chunks, last].map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`);
  },
  failure: ({ status, message }) => ({ error: { code: status, message, status: "INVALID_ARGUMENT" } }),
};
