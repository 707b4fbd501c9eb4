import type { Answer } from "../answer.ts";
import { textOf } from "../answer-words.ts";
import type { Ask } from "../ask.ts";
import type { Format } from "../format.ts";
import type { Json } from "../json.ts";
import { pieces } from "../pieces.ts";
import { openaiFailure } from "./failure.ts";

function reasoning(ask: Ask, thinking: string): Json {
  return { id: `rs_${ask.serial}`, type: "reasoning", summary: [{ type: "summary_text", text: thinking }] };
}

function message(ask: Ask, text: string): Json {
  const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  return { id: `msg_${ask.serial}`, type: "message", status: "completed", role: "assistant", content };
}

function output(ask: Ask, answer: Answer): Json[] {
  const text = textOf(answer);
  return [
    ...(answer.thinking === undefined ? [] : [reasoning(ask, answer.thinking)]),
    ...(text === "" ? [] : [message(ask, text)]),
    ...(answer.calls ?? []).map((call, at) => ({
      id: `fc_${ask.serial}_${at}`,
      type: "function_call",
      status: "completed",
      call_id: `call_${ask.serial}_${at}`,
      name: call.name,
      arguments: JSON.stringify(call.args),
    })),
  ];
}

function envelope(ask: Ask, answer: Answer, status: string, items: readonly Json[], tokens: Json | null): Json {
  return {
    id: `resp_${ask.serial}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: null,
    incomplete_details: null,
    instructions: ask.body["instructions"] ?? null,
    model: answer.model ?? `${ask.model}-2026-01-01`,
    output: items,
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: ask.body["tools"] ?? [],
    temperature: 1,
    top_p: 1,
    metadata: {},
    usage: tokens,
  };
}

function responseDocument(ask: Ask, answer: Answer): Json {
  const items = output(ask, answer);
  const inputTokens = Math.ceil(ask.raw.length / 4);
  const outputTokens = Math.ceil(JSON.stringify(items).length / 4);
  return envelope(ask, answer, "completed", items, {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  });
}

function textEvents(item: Json, index: number, text: string, count: Answer["pieces"]): Json[] {
  const place = { item_id: item["id"], output_index: index, content_index: 0 };
  const part = { type: "output_text", annotations: [], logprobs: [] };
  return [
    { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
    ...pieces(text, count).map((delta) => ({ type: "response.output_text.delta", ...place, delta, logprobs: [] })),
    { type: "response.output_text.done", ...place, text, logprobs: [] },
    { type: "response.content_part.done", ...place, part: { ...part, text } },
  ];
}

function callEvents(item: Json, index: number): Json[] {
  const place = { item_id: item["id"], output_index: index };
  const args = String(item["arguments"]);
  return [
    ...pieces(args, 2).map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
    { type: "response.function_call_arguments.done", ...place, name: item["name"], arguments: args },
  ];
}

function itemEvents(item: Json, index: number, answer: Answer): Json[] {
  const opened = { ...item, status: "in_progress" };
  const inside =
    item["type"] === "message"
      ? textEvents(item, index, textOf(answer), answer.pieces)
      : item["type"] === "function_call"
        ? callEvents(item, index)
        : [];
  const empty =
    item["type"] === "message" ? { content: [] } : item["type"] === "function_call" ? { arguments: "" } : {};
  return [
    { type: "response.output_item.added", output_index: index, item: { ...opened, ...empty } },
    ...inside,
    { type: "response.output_item.done", output_index: index, item },
  ];
}

function responseEvents(ask: Ask, answer: Answer): string[] {
  const started = envelope(ask, answer, "in_progress", [], null);
  const events: Json[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...output(ask, answer).flatMap((item, index) => itemEvents(item, index, answer)),
    { type: "response.completed", response: responseDocument(ask, answer) },
  ];
  return events.map((event, at) => {
    return `event: ${String(event["type"])}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`;
  });
}

/** OpenAI's responses. */
export const responses: Format = {
  name: "responses",
  path: /\/responses$/,
  document: responseDocument,
  events: responseEvents,
  failure: openaiFailure,
  failureEvent: ({ type, message }) =>
    `event: error\ndata: ${JSON.stringify({ type: "error", code: type, message, param: null, sequence_number: 99 })}\n\n`,
};
