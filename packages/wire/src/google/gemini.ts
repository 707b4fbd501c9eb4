import type { Answer } from "../answer.ts";
import { partsNamed, textOf, tokens } from "../answer-words.ts";
import type { Ask } from "../ask.ts";
import type { Format } from "../format.ts";
import { asJson, asList, type Json } from "../json.ts";
import { pieces } from "../pieces.ts";

const ROUTE = /\/([^/:]+):(generateContent|streamGenerateContent|embedContent|batchEmbedContents)(?:$|\?)/;

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

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

function response(ask: Ask, answer: Answer, parts: Json[], finishReason?: string): Json {
  const candidate = { content: { parts, role: "model" }, index: 0, ...(finishReason ? { finishReason } : {}) };
  return {
    candidates: [candidate],
    modelVersion: answer.model ?? `${ask.model}-001`,
    responseId: `resp-${ask.serial}`,
  };
}

function calls(ask: Ask, answer: Answer): Json[] {
  return (answer.calls ?? []).map(({ name, args }, at) => ({
    functionCall: { id: `fc_${ask.serial}_${at}`, name, args },
    thoughtSignature: Buffer.from(ask.serial).toString("base64"),
  }));
}

/** Google's `generateContent`, its stream, and embeddings. */
export const gemini: Format = {
  name: "gemini",
  path: ROUTE,
  mime: "text/event-stream",
  read(body, path) {
    const [, model = "", verb = ""] = ROUTE.exec(path) ?? [];
    return {
      model,
      stream: verb === "streamGenerateContent",
      system: asJson(body["systemInstruction"])["parts"],
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
    return { ...response(ask, answer, parts, "STOP"), usageMetadata: usage(ask, answer) };
  },
  events(ask, answer) {
    const chunks = pieces(textOf(answer), answer.pieces).map((text) => response(ask, answer, [{ text }]));
    const last = { ...response(ask, answer, calls(ask, answer), "STOP"), usageMetadata: usage(ask, answer) };
    return [...chunks, last].map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`);
  },
  failure: ({ status, message }) => ({ error: { code: status, message, status: STATUSES[status] ?? "INTERNAL" } }),
};
