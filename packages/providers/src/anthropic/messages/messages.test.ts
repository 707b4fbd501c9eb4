import { expect, test } from "vitest";
import { createDialect } from "../../dialect.ts";
import { operations } from "../operations.ts";
import { anthropic } from "../provider.ts";

const { recognise } = createDialect(anthropic, () => operations);
const operation = recognise({
  method: "POST",
  url: new URL("http://127.0.0.1/v1/messages"),
  headers: new Map(),
  body: '{"max_tokens":1,"messages":[]}',
});
if (operation === null) throw new Error("messages are not recognised");

const stream = (...events: Array<{ type: string }>) => ({
  status: 200,
  mime: "text/event-stream",
  text: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
});
const answer = (body: unknown, status = 200) => ({ status, mime: "application/json", text: JSON.stringify(body) });
const output = (key: string) => `llm.output_messages.0.message.${key}`;
const start = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, d: object) => ({ type: "content_block_delta", index, delta: d });
const stop = (index: number) => ({ type: "content_block_stop", index });

const EVENTS = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      model: "m-1",
      role: "assistant",
      content: [],
      usage: { input_tokens: 2, cache_read_input_tokens: 10, cache_creation_input_tokens: 3, output_tokens: 1 },
    },
  },
  start(0, { type: "thinking", thinking: "", signature: "" }),
  delta(0, { type: "thinking_delta", thinking: "so " }),
  delta(0, { type: "thinking_delta", thinking: "what" }),
  delta(0, { type: "signature_delta", signature: "c2ln" }),
  stop(0),
  { type: "ping" },
  start(1, { type: "redacted_thinking", data: "sealed" }),
  stop(1),
  start(2, { type: "text", text: "" }),
  delta(2, { type: "text_delta", text: "Hello" }),
  delta(2, {
    type: "citations_delta",
    citation: { type: "web_search_result_location", title: "X", url: "https://x.example", cited_text: "words" },
  }),
  stop(2),
  start(3, { type: "tool_use", id: "toolu_1", name: "look", input: {} }),
  delta(3, { type: "input_json_delta", partial_json: "" }),
  delta(3, { type: "input_json_delta", partial_json: '{"id": 9007199254740' }),
  delta(3, { type: "input_json_delta", partial_json: "993123}" }),
  stop(3),
  start(4, { type: "tool_use", id: "toolu_2", name: "now", input: {} }),
  stop(4),
  start(5, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
  delta(5, { type: "input_json_delta", partial_json: '{"query":"q"}' }),
  stop(5),
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } },
  { type: "message_stop" },
];

test("a stream becomes the message: thoughts with signatures, citations, calls with exact numbers", () => {
  const said = stream(...EVENTS);
  expect(operation.view({ url: "", text: null }, said).attributes).toMatchObject({
    [output("contents.0.message_content.type")]: "reasoning",
    [output("contents.0.message_content.text")]: "so what",
    [output("contents.0.message_content.signature")]: "c2ln",
    [output("contents.1.message_content.data")]: "sealed",
    [output("contents.2.message_content.text")]: "Hello",
    [output("contents.3.message_content.text")]: "X https://x.example words",
    [output("tool_calls.0.tool_call.function.arguments")]: '{"id":9007199254740993123}',
    [output("tool_calls.2.tool_call.function.name")]: "web_search",
    "llm.token_count.prompt": 15,
    "llm.token_count.completion": 20,
    "llm.token_count.total": 35,
    "llm.token_count.prompt_details.cache_read": 10,
    "llm.token_count.prompt_details.cache_write": 3,
    "gen_ai.usage.input_tokens": 15,
    "gen_ai.response.finish_reasons": ["tool_use"],
  });
  expect(operation.toolCalls(said)).toEqual([
    { id: "toolu_1", name: "look", args: '{"id":9007199254740993123}', index: 0 },
    { id: "toolu_2", name: "now", args: "{}", index: 1 },
  ]);
  expect(operation.assemble(said.text)).toContain('"input":{"id":9007199254740993123}');
});

test("a stream that was cut shows what had arrived and asks only for whole calls", () => {
  const said = stream(...EVENTS.slice(0, 16));
  expect(operation.toolCalls(said)).toEqual([]);
  expect(operation.view({ url: "", text: null }, said).attributes).toMatchObject({
    [output("contents.2.message_content.text")]: "Hello",
    [output("tool_calls.0.tool_call.function.arguments")]: '{"id": 9007199254740',
  });
  expect(operation.toolCalls(stream(...EVENTS.slice(0, 14)))).toEqual([]);
});

test("tool results become messages of their own, pictures and documents stand by type and size", () => {
  const content = [
    {
      type: "tool_result",
      tool_use_id: "toolu_1",
      is_error: true,
      content: [
        { type: "text", text: "boom" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      ],
    },
    { type: "text", text: "go on" },
    { type: "image", source: { type: "url", url: "https://x.example/a.png" } },
    { type: "document", title: "Terms", source: { type: "base64", media_type: "application/pdf", data: "AAAAAAAA" } },
  ];
  const text = JSON.stringify({
    model: "m",
    max_tokens: 5,
    system: "be brief",
    messages: [{ role: "user", content }],
    tools: [{ name: "look" }],
  });
  const { attributes } = operation.view({ url: "", text }, null);
  expect(attributes).toMatchObject({
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.1.message.role": "tool",
    "llm.input_messages.1.message.tool_call_id": "toolu_1",
    "llm.input_messages.1.message.contents.0.message_content.type": "error",
    "llm.input_messages.1.message.contents.1.message_content.text": "boom",
    "llm.input_messages.1.message.contents.2.message_content.text": "[image/png, 3 bytes]",
    "llm.input_messages.2.message.contents.0.message_content.text": "go on",
    "llm.input_messages.2.message.contents.1.message_content.image.image.url": "https://x.example/a.png",
    "llm.input_messages.2.message.contents.2.message_content.text": "Terms [application/pdf, 6 bytes]",
    "llm.invocation_parameters": '{"model":"m","max_tokens":5}',
  });
  expect(JSON.stringify(attributes)).not.toContain("AAAA");
});

const OVERLOADED = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

test.each([
  [answer(OVERLOADED, 529), "overloaded_error", "Overloaded"],
  [{ status: 502, mime: "text/html", text: "<html>" }, "http_502", ""],
  [stream(...EVENTS.slice(0, 11), OVERLOADED), "overloaded_error", "Overloaded"],
])("the error of an answer is named (%#)", (said, type, message) => {
  expect(operation.view({ url: "", text: null }, said).error).toEqual({ type, message });
});

test("blocks inside of blocks do not overflow the stack", () => {
  const deep = '{"type":"search_result","content":['.repeat(100_000) + "]}".repeat(100_000);
  const text = `{"max_tokens":1,"messages":[{"role":"user","content":[${deep}]}]}`;
  expect(operation.view({ url: "", text }, null).error).toBeNull();
});
