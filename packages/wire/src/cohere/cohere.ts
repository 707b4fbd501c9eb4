import type { Answer } from "../answer.ts";
import { textOf, tokens } from "../answer-words.ts";
import type { Ask } from "../ask.ts";
import type { Format } from "../format.ts";
import { asList, type Json } from "../json.ts";
import { pieces } from "../pieces.ts";

function calls(ask: Ask, answer: Answer): Json[] {
  return (answer.calls ?? []).map(({ name, args }, at) => ({
    id: `${name}_${ask.serial}_${at}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
}

function usage(ask: Ask, answer: Answer): Json {
  const { input, output } = tokens(ask, answer);
  const counted = { input_tokens: input, output_tokens: output };
  return { billed_units: counted, tokens: counted };
}

function finish({ calls: asked = [] }: Answer): string {
  return asked.length > 0 ? "TOOL_CALL" : "COMPLETE";
}

/** Cohere's second API: chat, embeddings and reranking. */
export const cohere: Format = {
  name: "cohere",
  path: /\/v2\/(?:chat|embed|rerank)$/,
  mime: "text/event-stream",
  document(ask, answer) {
    const id = `co-${ask.serial}`;
    const billed = { api_version: { version: "2" }, billed_units: { input_tokens: 4, search_units: 1 } };
    if (ask.path.endsWith("/embed")) {
      const texts = asList(ask.body["texts"]);
      const float = texts.map((_, at) => [at, 0.5]);
      return { id, embeddings: { float }, texts, meta: billed, response_type: "embeddings_by_type" };
    }
    if (ask.path.endsWith("/rerank")) {
      const results = asList(ask.body["documents"]).map((_, index) => ({ index, relevance_score: 0.5 - index / 10 }));
      return { id, results, meta: billed };
    }
    const content = [{ type: "text", text: textOf(answer) }];
    const asked = calls(ask, answer);
    const said = asked.length > 0 ? { tool_plan: textOf(answer), tool_calls: asked } : { content };
    return {
      id,
      finish_reason: finish(answer),
      message: { role: "assistant", ...said },
      usage: usage(ask, answer),
    };
  },
  events(ask, answer) {
    const events: Json[] = [
      { type: "message-start", id: `co-${ask.serial}`, delta: { message: { role: "assistant", content: [] } } },
      { type: "content-start", index: 0, delta: { message: { content: { type: "text", text: "" } } } },
      ...pieces(textOf(answer), answer.pieces).map((text) => ({
        type: "content-delta",
        index: 0,
        delta: { message: { content: { text } } },
      })),
      { type: "content-end", index: 0 },
      ...calls(ask, answer).flatMap((call, index) => [
        { type: "tool-call-start", index, delta: { message: { tool_calls: call } } },
        { type: "tool-call-end", index },
      ]),
      { type: "message-end", delta: { finish_reason: finish(answer), usage: usage(ask, answer) } },
    ];
    return events.map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
  },
  failure: ({ message }) => ({ message }),
  failureEvent: ({ message }) =>
    `event: message-end\ndata: ${JSON.stringify({ type: "message-end", delta: { finish_reason: "ERROR", error: message } })}\n\n`,
};
