import { expect, test } from "vitest";
import { type OtlpSpan, plainSpan } from "../otlp/span.ts";
import { spanKind } from "./span-kind.ts";
import { spanTexts } from "./span-texts.ts";

const span = (attributes: OtlpSpan["attributes"], events: OtlpSpan["events"] = []): OtlpSpan => ({
  ...plainSpan({ traceId: "1".repeat(32), spanId: "2".repeat(16), name: "x" }),
  attributes,
  events,
});
const call = (name: string, args: string, id?: string) => ({
  ...(id !== undefined && { id }),
  function: { name, arguments: args },
});
const read = (each: OtlpSpan) => {
  const { input, output } = spanTexts(each);
  const messages = (text: string | null) =>
    text === null ? null : (JSON.parse(text) as { messages: unknown }).messages;
  return [messages(input), messages(output)];
};

test("OpenInference: values as they are, else the messages", () => {
  expect(spanTexts(span({ "input.value": "{}", "output.value": "done" }))).toEqual({ input: "{}", output: "done" });
  const attributes = {
    "llm.input_messages.1.message.role": "user",
    "llm.input_messages.1.message.contents.0.message_content.type": "text",
    "llm.input_messages.1.message.contents.0.message_content.text": "refund 4711",
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.0.message.content": "You are a clerk",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.1.tool_call.function.name": "refund",
    "llm.output_messages.0.message.tool_calls.1.tool_call.function.arguments": "{}",
  };
  expect(read(span(attributes))).toEqual([
    [
      { role: "system", content: "You are a clerk" },
      { role: "user", content: "refund 4711" },
    ],
    [{ role: "assistant", tool_calls: [{ function: {} }, call("refund", "{}")] }],
  ]);
});

test("OpenTelemetry's generative AI: message lists, text or structured, and tool calls", () => {
  const parts = [
    { type: "text", content: "which one?" },
    { type: "tool_call", id: "c1", name: "refund", arguments: { id: 4711 } },
    { type: "blob", mime_type: "image/png" },
  ];
  const lists = {
    "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: "You are a clerk" }]),
    "gen_ai.input.messages": [{ role: "tool", parts: [{ type: "tool_call_response", response: { ok: 1 } }] }],
    "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts }]),
  };
  expect(read(span(lists))).toEqual([
    [
      { role: "system", content: "You are a clerk" },
      { role: "tool", content: '{"ok":1}' },
    ],
    [{ role: "assistant", content: "which one?\n[blob]", tool_calls: [call("refund", '{"id":4711}', "c1")] }],
  ]);
  const tool = { "gen_ai.tool.call.arguments": '{"id":1}', "gen_ai.tool.call.result": { done: true } };
  expect(spanTexts(span(tool))).toEqual({ input: '{"id":1}', output: '{"done":true}' });
});

test("its earlier forms: an event for each message, numbered attributes", () => {
  const event = (name: string, attributes: Record<string, unknown>) =>
    ({ name, timeUnixNano: 1n, attributes, droppedAttributesCount: 0 }) as OtlpSpan["events"][number];
  const events = [
    event("gen_ai.user.message", { content: "hello" }),
    event("gen_ai.choice", { index: 0, message: JSON.stringify({ role: "assistant", content: "hi" }) }),
    event("exception", { "exception.message": "no" }),
  ];
  expect(read(span({}, events))).toEqual([
    [{ role: "user", content: "hello" }],
    [{ role: "assistant", content: "hi" }],
  ]);
  const numbered = {
    "gen_ai.prompt.0.role": "user",
    "gen_ai.prompt.0.content": "asks",
    "gen_ai.completion.0.content": "answers",
    "gen_ai.completion.0.tool_calls.0.name": "refund",
    "gen_ai.completion.0.tool_calls.0.arguments": "{}",
  };
  expect(read(span(numbered))).toEqual([
    [{ role: "user", content: "asks" }],
    [{ content: "answers", tool_calls: [call("refund", "{}")] }],
  ]);
});

test("the AI SDK's own attributes", () => {
  const attributes = {
    "ai.prompt.messages": JSON.stringify([{ role: "user", content: [{ type: "text", text: "refund 4711" }] }]),
    "ai.response.text": "I shall",
    "ai.response.toolCalls": JSON.stringify([{ toolCallId: "1", toolName: "refund", input: '{"id":1}' }]),
  };
  expect(read(span(attributes))).toEqual([
    [{ role: "user", content: "refund 4711" }],
    [{ role: "assistant", content: "I shall", tool_calls: [call("refund", '{"id":1}', "1")] }],
  ]);
  expect(spanTexts(span({ "ai.prompt": '{"prompt":"x"}' }))).toEqual({ input: '{"prompt":"x"}', output: null });
});

test("a result names the call that it answers; several in one message are one each", () => {
  const result = (id: string, value: unknown) => ({
    type: "tool-result",
    toolCallId: id,
    toolName: "refund",
    output: { type: "json", value },
  });
  const attributes = {
    "ai.prompt.messages": JSON.stringify([{ role: "tool", content: [result("1", { ok: 1 }), result("2", "late")] }]),
    "gen_ai.output.messages": [{ role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: 7 }] }],
  };
  expect(read(span(attributes))).toEqual([
    [
      { role: "tool", tool_call_id: "1", content: '{"ok":1}' },
      { role: "tool", tool_call_id: "2", content: "late" },
    ],
    [{ role: "tool", tool_call_id: "c1", content: "7" }],
  ]);
  const numbered = {
    "llm.input_messages.0.message.role": "assistant",
    "llm.input_messages.0.message.tool_calls.0.tool_call.id": "c1",
    "llm.input_messages.0.message.tool_calls.0.tool_call.function.name": "refund",
    "llm.input_messages.1.message.role": "tool",
    "llm.input_messages.1.message.tool_call_id": "c1",
  };
  expect(read(span(numbered))[0]).toEqual([
    { role: "assistant", tool_calls: [{ id: "c1", function: { name: "refund" } }] },
    { role: "tool", tool_call_id: "c1" },
  ]);
});

test("what is no convention's, or is malformed, is never an error", () => {
  expect(spanTexts(span({}))).toEqual({ input: null, output: null });
  const odd = { "gen_ai.input.messages": "not json", "ai.response.toolCalls": "{", "llm.input_messages.x": "y" };
  expect(read(span(odd))).toEqual([[{ content: "not json" }], null]);
  expect(read(span({ "gen_ai.output.messages": '[null, 7, "text", {"role": 3, "parts": [null, {}]}]' }))[1]).toEqual([
    { content: "" },
    { content: "7" },
    { content: "text" },
    { content: "[]" },
  ]);
});

test("kinds, by whichever convention says one", () => {
  const kinds = [
    { "openinference.span.kind": "RETRIEVER", "gen_ai.operation.name": "chat" },
    { "gen_ai.operation.name": "execute_tool" },
    { "ai.operationId": "ai.streamText.doStream" },
    { "llm.request.type": "chat" },
    { "traceloop.span.kind": "workflow" },
    { "gen_ai.operation.name": "toString" },
    {},
  ].map((attributes) => spanKind(span(attributes)));
  expect(kinds).toEqual(["RETRIEVER", "TOOL", "LLM", "LLM", "CHAIN", "", ""]);
});
