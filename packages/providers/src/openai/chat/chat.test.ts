import { expect, test } from "vitest";
import { createDialect } from "../../dialect.ts";
import { operations } from "../operations.ts";
import { openai } from "../provider.ts";

const { recognise } = createDialect(openai, () => operations);
const operation = recognise({
  method: "POST",
  url: new URL("http://127.0.0.1/v1/chat/completions"),
  headers: new Map(),
  body: null,
});
if (operation === null) throw new Error("chat is not recognised");

const stream = (...events: unknown[]) => ({
  status: 200,
  mime: "text/event-stream",
  text: [...events.map((event) => `data: ${JSON.stringify(event)}`), "data: [DONE]"].join("\n\n") + "\n\n",
});
const delta = (d: unknown, rest: object = {}) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: d, ...rest }],
});
const answer = (body: unknown, status = 200) => ({ status, mime: "application/json", text: JSON.stringify(body) });
const attributesOf = (body: unknown) => operation.view({ url: "", text: null }, answer(body)).attributes;
const call = (index: number, id: string | undefined, name: string | undefined, args: string) => ({
  tool_calls: [{ index, ...(id && { id, type: "function" }), function: { ...(name && { name }), arguments: args } }],
});

const PARALLEL = stream(
  delta({ role: "assistant", content: null }),
  delta(call(0, "call_a", "look", '{"q"')),
  delta(call(1, "call_b", "book", '{"n":')),
  delta(call(0, undefined, undefined, ":1}")),
  delta(call(1, undefined, undefined, "12345678901234567890}")),
  delta({}, { finish_reason: "tool_calls" }),
  { id: "chatcmpl-1", choices: [], usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } },
);

test("parallel tool calls of a stream are joined by their index", () => {
  expect(operation.toolCalls(PARALLEL)).toEqual([
    { id: "call_a", name: "look", args: '{"q":1}', index: 0 },
    { id: "call_b", name: "book", args: '{"n":12345678901234567890}', index: 1 },
  ]);
  expect(JSON.parse(operation.assemble(PARALLEL.text) ?? "")).toMatchObject({
    object: "chat.completion",
    choices: [{ index: 0, finish_reason: "tool_calls", message: { role: "assistant" } }],
    usage: { total_tokens: 12 },
  });
  expect(operation.view({ url: "", text: null }, PARALLEL).attributes["llm.token_count.total"]).toBe(12);
});

test("of a stream that was cut only whole calls count", () => {
  const cut = { ...PARALLEL, text: PARALLEL.text.slice(0, PARALLEL.text.indexOf("1234567")) };
  expect(operation.toolCalls(cut).map(({ id }) => id)).toEqual(["call_a"]);
});

test("all choices of a stream are kept apart", () => {
  const two = stream(
    { choices: [{ index: 1, delta: { role: "assistant", content: "b" } }] },
    { choices: [{ index: 0, delta: { role: "assistant", content: "a" } }] },
    { choices: [{ index: 1, delta: { content: "B" }, finish_reason: "length" }] },
    { choices: [{ index: 0, delta: { content: "A" }, finish_reason: "stop" }] },
  );
  expect(operation.view({ url: "", text: null }, two).attributes).toMatchObject({
    "llm.output_messages.0.message.content": "aA",
    "llm.output_messages.1.message.content": "bB",
    "gen_ai.response.finish_reasons": ["stop", "length"],
  });
});

test("refusals, thoughts and sounds have parts of their own", () => {
  const message = {
    role: "assistant",
    content: null,
    refusal: "no",
    reasoning_content: "hm",
    audio: { id: "audio_1", data: "AAAA", transcript: "hi" },
  };
  expect(attributesOf({ choices: [{ message }] })).toMatchObject({
    "llm.output_messages.0.message.contents.0.message_content.type": "reasoning",
    "llm.output_messages.0.message.contents.0.message_content.text": "hm",
    "llm.output_messages.0.message.contents.1.message_content.type": "refusal",
    "llm.output_messages.0.message.contents.1.message_content.text": "no",
    "llm.output_messages.0.message.contents.2.message_content.text": "[audio, 3 bytes]",
    "llm.output_messages.0.message.contents.2.message_content.audio.audio.transcript": "hi",
  });
});

test("thoughts of a stream keep text and signature in one part", () => {
  const detail = (d: object) => delta({ reasoning_details: [{ index: 0, type: "reasoning.text", ...d }] });
  const whole = stream(
    detail({ text: "a" }),
    detail({ text: "b", signature: "sig" }),
    delta({ content: "c" }, { finish_reason: "stop" }),
  );
  expect(operation.view({ url: "", text: null }, whole).attributes).toMatchObject({
    "llm.output_messages.0.message.contents.0.message_content.text": "ab",
    "llm.output_messages.0.message.contents.0.message_content.signature": "sig",
    "llm.output_messages.0.message.contents.1.message_content.text": "c",
  });
});

test("a picture's bytes stand nowhere in the view, an address does", () => {
  const content = [
    { type: "text", text: "what?" },
    { type: "image_url", image_url: { url: "data:image/png;base64,AAAAAAA=" } },
    { type: "image_url", image_url: { url: "https://x.example/a.png" } },
    { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
  ];
  const { attributes } = operation.view(
    { url: "", text: JSON.stringify({ messages: [{ role: "user", content }] }) },
    null,
  );
  expect(attributes).toMatchObject({
    "llm.input_messages.0.message.contents.1.message_content.text": "[image/png, 5 bytes]",
    "llm.input_messages.0.message.contents.2.message_content.image.image.url": "https://x.example/a.png",
    "llm.input_messages.0.message.contents.3.message_content.audio.audio.mime_type": "audio/wav",
  });
  expect(JSON.stringify(attributes)).not.toContain("AAAA");
});

test("custom tools and the older function call are asked for too", () => {
  const custom = { tool_calls: [{ id: "call_c", type: "custom", custom: { name: "sql", input: "select 1" } }] };
  const older = { function_call: { name: "old", arguments: "{}" } };
  const choices = [custom, older].map((message) => ({ finish_reason: "stop", message }));
  expect(operation.toolCalls(answer({ choices }))).toEqual([
    { id: "call_c", name: "sql", args: "select 1", index: 0 },
    { id: null, name: "old", args: "{}", index: 1 },
  ]);
});

test.each([
  [answer({ error: { type: "invalid_request_error", code: "bad", message: "m" } }, 400), "invalid_request_error", "m"],
  [answer({ error: { code: 429, message: "slow down" } }, 429), "429", "slow down"],
  [answer({ error: "plain" }, 500), "http_500", "plain"],
  [answer({ detail: [{ msg: "field required" }] }, 422), "http_422", '[{"msg":"field required"}]'],
  [{ status: 502, mime: "text/html", text: "<html>" }, "http_502", ""],
  [stream(delta({ content: "a" }), { error: { type: "server_error", message: "gone" } }), "server_error", "gone"],
])("the error of an answer is named (%#)", (said, type, message) => {
  expect(operation.view({ url: "", text: null }, said).error).toEqual({ type, message });
  if (said.status >= 400) expect(operation.toolCalls(said)).toEqual([]);
});

test("a good answer is no error", () => {
  expect(operation.view({ url: "", text: null }, answer({ choices: [], error: null })).error).toBeNull();
});

test("a stream under another content type is still a stream", () => {
  expect(operation.toolCalls({ ...PARALLEL, mime: "text/plain" })).toHaveLength(2);
});

test("documents nested deeper than the stack are read as far as they go", () => {
  const deep = `{"messages":${"[".repeat(200_000)}${"]".repeat(200_000)},"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  expect(
    operation.view({ url: "", text: deep }, { status: 200, mime: "text/event-stream", text: `data: ${deep}\n\n` })
      .error,
  ).toBeNull();
  const nested = `{"choices":[{"delta":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}]}`;
  expect(operation.assemble(`data: ${nested}\n\n`)).toBeNull();
});
