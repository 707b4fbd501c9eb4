import type { Answer } from "../answer.ts";
import { textOf, tokens } from "../answer-words.ts";
import type { Ask } from "../ask.ts";
import type { Format } from "../format.ts";
import { asList, type Json } from "../json.ts";
import { pieces } from "../pieces.ts";

function head(ask: Ask, answer: Answer): Json {
  return { model: answer.model ?? ask.model, created_at: new Date().toISOString() };
}

function counts(ask: Ask, answer: Answer): Json {
  const { input, output } = tokens(ask, answer);
  return { done: true, done_reason: "stop", prompt_eval_count: input, eval_count: output, total_duration: 12_345 };
}

function said(ask: Ask, text: string): Json {
  return ask.path.endsWith("/generate") ? { response: text } : { message: { role: "assistant", content: text } };
}

function calls(answer: Answer): Json[] {
  return (answer.calls ?? []).map(({ name, args }) => ({ function: { name, arguments: args } }));
}

/** Ollama's own API; its streams are lines of JSON, and a request streams unless it says otherwise. */
export const ollama: Format = {
  name: "ollama",
  path: /\/api\/(?:chat|generate|embed)$/,
  mime: "application/x-ndjson",
  read(body, path) {
    const messages = body["messages"] ?? [{ role: "user", content: body["prompt"] }];
    return { ...body, messages, stream: body["stream"] !== false && !path.endsWith("/embed") };
  },
  document(ask, answer) {
    if (ask.path.endsWith("/embed"))
      return {
        model: ask.model,
        embeddings: asList(ask.body["input"]).map((_, at) => [at, 0.5]),
        prompt_eval_count: 3,
      };
    if (ask.path.endsWith("/generate"))
      return { ...head(ask, answer), ...said(ask, textOf(answer)), ...counts(ask, answer) };
    const tool_calls = calls(answer);
    const message = { role: "assistant", content: textOf(answer), ...(tool_calls.length > 0 ? { tool_calls } : {}) };
    return { ...head(ask, answer), message, ...counts(ask, answer) };
  },
  events(ask, answer) {
    const texts = pieces(textOf(answer), answer.pieces).map((text) => ({ ...said(ask, text), done: false }));
    const asked = calls(answer).map((call) => ({
      message: { role: "assistant", content: "", tool_calls: [call] },
      done: false,
    }));
    const last = { ...said(ask, ""), ...counts(ask, answer) };
    return [...texts, ...asked, last].map((line) => `${JSON.stringify({ ...head(ask, answer), ...line })}\n`);
  },
  failure: ({ message }) => ({ error: message }),
  failureEvent: ({ message }) => `${JSON.stringify({ error: message })}\n`,
};
