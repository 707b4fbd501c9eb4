import type { Answer } from "./answer.ts";
import type { Ask, Json } from "./ask.ts";
import { pieces } from "./pieces.ts";

function textOf(answer: Answer): string {
  const { text = "" } = answer;
  return typeof text === "string" ? text : (text[0] ?? "");
}

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

function envelope(ask: Ask, status: string, items: readonly Json[], tokens: Json | null): Json {
  return {
    id: `resp_${ask.serial}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: null,
    incomplete_details: null,
    instructions: ask.body["instructions"] ?? null,
    model: `${ask.model}-2026-01-01`,
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

export function responseDocument(ask: Ask, answer: Answer): Json {
  const items = output(ask, answer);
  const inputTokens = Math.ceil(ask.raw.length / 4);
  const outputTokens = Math.ceil(JSON.stringify(items).length / 4);
  return envelope(ask, "completed", items, {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  });
}

function textEvents(item: Json, index: number, text: string, count: number | undefined): Json[] {
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

export function responseEvents(ask: Ask, answer: Answer): string[] {
  const started = envelope(ask, "in_progress", [], null);
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
