import type { Answer } from "../answer.ts";
import type { Ask } from "../ask.ts";
import type { Format } from "../format.ts";
import { asJson, type Json } from "../json.ts";
import { pieces } from "../pieces.ts";
import { openaiFailure } from "./failure.ts";

function texts(ask: Ask, answer: Answer): string[] {
  const n = typeof ask.body["n"] === "number" ? ask.body["n"] : 1;
  const given = answer.text ?? "";
  return Array.from({ length: n }, (_, at) => (typeof given === "string" ? given : (given[at] ?? "")));
}

function calls(ask: Ask, answer: Answer): Json[] {
  return (answer.calls ?? []).map((call, at) => ({
    id: `call_${ask.serial}_${at}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.args) },
  }));
}

function head(ask: Ask, answer: Answer, object: string): Json {
  return {
    id: `chatcmpl-${ask.serial}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: answer.model ?? `${ask.model}-2026-01-01`,
    system_fingerprint: "fp_scripted",
  };
}

function usage(ask: Ask, answer: Answer): Json {
  const prompt = Math.ceil(ask.raw.length / 4);
  const completion = Math.ceil(JSON.stringify([answer.text, answer.calls]).length / 4);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function chatDocument(ask: Ask, answer: Answer): Json {
  const asked = calls(ask, answer);
  const choices = texts(ask, answer).map((text, index) => ({
    index,
    message: {
      role: "assistant",
      content: text === "" && asked.length > 0 ? null : text,
      refusal: null,
      ...(asked.length > 0 ? { tool_calls: asked } : {}),
    },
    logprobs: null,
    finish_reason: asked.length > 0 ? "tool_calls" : "stop",
  }));
  return { ...head(ask, answer, "chat.completion"), choices, usage: usage(ask, answer) };
}

/** Deltas of one choice: role, text, then the tool calls with their arguments interleaved. */
function deltas(ask: Ask, answer: Answer, text: string): Json[] {
  const asked = calls(ask, answer);
  const list: Json[] = [{ role: "assistant", content: "" }];
  for (const piece of pieces(text, answer.pieces)) list.push({ content: piece });
  asked.forEach((call, index) => {
    list.push({
      tool_calls: [{ index, ...call, function: { name: asJson(call["function"])["name"], arguments: "" } }],
    });
  });
  for (const half of [0, 1]) {
    asked.forEach((call, index) => {
      const args = String(asJson(call["function"])["arguments"]);
      const middle = Math.ceil(args.length / 2);
      const part = half === 0 ? args.slice(0, middle) : args.slice(middle);
      list.push({ tool_calls: [{ index, function: { arguments: part } }] });
    });
  }
  return list;
}

function chatEvents(ask: Ask, answer: Answer): string[] {
  const chunk = (rest: Json): string =>
    `data: ${JSON.stringify({ ...head(ask, answer, "chat.completion.chunk"), ...rest })}\n\n`;
  const finish = (answer.calls ?? []).length > 0 ? "tool_calls" : "stop";
  const events = texts(ask, answer).flatMap((text, index) => [
    ...deltas(ask, answer, text).map((delta) =>
      chunk({ choices: [{ index, delta, logprobs: null, finish_reason: null }] }),
    ),
    chunk({ choices: [{ index, delta: {}, logprobs: null, finish_reason: finish }] }),
  ]);
  if (asJson(ask.body["stream_options"])["include_usage"] === true) {
    events.push(chunk({ choices: [], usage: usage(ask, answer) }));
  }
  return [...events, "data: [DONE]\n\n"];
}

/** OpenAI's chat completions, which many providers speak. */
export const chat: Format = {
  name: "chat",
  path: /\/chat\/completions$/,
  document: chatDocument,
  events: chatEvents,
  failure: openaiFailure,
};
