import { expect, test } from "vitest";
import { createDialect } from "../../dialect.ts";
import { operations } from "../operations.ts";
import { openai } from "../provider.ts";

const { recognise } = createDialect(openai, () => operations);
const operation = recognise({
  method: "POST",
  url: new URL("http://127.0.0.1/v1/responses"),
  headers: new Map(),
  body: '{"model":"m","input":"hi"}',
});
if (operation === null) throw new Error("responses are not recognised");

const stream = (...events: Array<{ type: string }>) => ({
  status: 200,
  mime: "text/event-stream",
  text: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
});
const answer = (body: unknown) => ({ status: 200, mime: "application/json", text: JSON.stringify(body) });
const output = (prefix: number, key: string) => `llm.output_messages.${prefix}.message.${key}`;

const CUT = [
  { type: "response.created", response: { id: "resp_1", status: "in_progress", model: "m", output: [] } },
  { type: "response.output_item.added", output_index: 0, item: { type: "reasoning", id: "rs_1", summary: [] } },
  { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "so " },
  { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "what" },
  { type: "response.output_item.added", output_index: 1, item: { type: "message", role: "assistant", content: [] } },
  { type: "response.output_text.delta", output_index: 1, content_index: 0, delta: "Hel" },
  { type: "response.output_text.delta", output_index: 1, content_index: 0, delta: "lo" },
  {
    type: "response.output_item.done",
    output_index: 2,
    item: { type: "function_call", call_id: "call_1", name: "look", arguments: "{}", status: "completed" },
  },
  {
    type: "response.output_item.added",
    output_index: 3,
    item: { type: "function_call", call_id: "call_2", name: "book", arguments: "", status: "in_progress" },
  },
  { type: "response.function_call_arguments.delta", output_index: 3, delta: '{"n":' },
];

test("a stream that was cut shows what had arrived, and asks only for whole calls", () => {
  const said = stream(...CUT);
  expect(operation.view({ url: "", text: null }, said).attributes).toMatchObject({
    [output(0, "contents.0.message_content.text")]: "so what",
    [output(0, "contents.0.message_content.id")]: "rs_1",
    [output(1, "content")]: "Hello",
    [output(3, "tool_calls.0.tool_call.function.arguments")]: '{"n":',
  });
  expect(operation.toolCalls(said).map(({ id }) => id)).toEqual(["call_1"]);
});

test("the last response is the answer; where a host leaves its items out, those of the stream stand in", () => {
  const end = {
    type: "response.completed",
    response: {
      id: "resp_1",
      status: "completed",
      output: [],
      usage: {
        input_tokens: 3,
        output_tokens: 4,
        total_tokens: 7,
        input_tokens_details: { cached_tokens: 1 },
        output_tokens_details: { reasoning_tokens: 2 },
      },
    },
  };
  const { attributes } = operation.view({ url: "", text: null }, stream(...CUT.slice(0, 8), end));
  expect(attributes).toMatchObject({
    [output(1, "content")]: "Hello",
    "llm.token_count.prompt_details.cache_read": 1,
    "llm.token_count.completion_details.reasoning": 2,
    "llm.finish_reason": "completed",
  });
});

test.each([
  [{ type: "error", code: "server_error", message: "gone" }],
  [
    {
      type: "response.failed",
      response: { id: "resp_1", status: "failed", error: { code: "server_error", message: "gone" } },
    },
  ],
])("an error in a stream is the answer's error (%#)", (event) => {
  expect(operation.view({ url: "", text: null }, stream(...CUT, event)).error).toEqual({
    type: "server_error",
    message: "gone",
  });
});

test("calls that the provider ran are shown with what they found and never asked for", () => {
  const body = {
    output: [
      { type: "web_search_call", id: "ws_1", action: { type: "search", query: "q" } },
      { type: "file_search_call", id: "fs_1", queries: ["q"], results: [{ text: "found" }] },
      { type: "code_interpreter_call", id: "ci_1", code: "1+1", outputs: [{ type: "logs", logs: "2" }] },
      { type: "mcp_call", id: "mcp_1", name: "roll", arguments: '{"d":6}', output: "4" },
      { type: "image_generation_call", id: "ig_1", result: "AAAA", output_format: "webp" },
      {
        type: "message",
        role: "assistant",
        content: [
          {
            type: "output_text",
            text: "see",
            annotations: [{ type: "url_citation", url: "https://x.example", title: "X" }],
          },
        ],
      },
      { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
    ],
  };
  expect(operation.toolCalls(answer(body))).toEqual([]);
  expect(operation.view({ url: "", text: null }, answer(body)).attributes).toMatchObject({
    [output(0, "tool_calls.0.tool_call.function.name")]: "web_search",
    [output(0, "tool_calls.0.tool_call.function.arguments")]: '{"type":"search","query":"q"}',
    [output(1, "content")]: "found",
    [output(2, "content")]: "2",
    [output(3, "tool_calls.0.tool_call.function.name")]: "roll",
    [output(4, "contents.0.message_content.text")]: "[image/webp, 3 bytes]",
    [output(5, "contents.1.message_content.text")]: "X https://x.example",
    [output(6, "contents.0.message_content.type")]: "refusal",
  });
});

test("every call that the client has to run is asked for", () => {
  const calls = [
    { type: "function_call", call_id: "1", name: "f", arguments: "{}" },
    { type: "custom_tool_call", call_id: "2", name: "c", input: "free text" },
    { type: "local_shell_call", call_id: "3", action: { command: ["ls"] } },
    { type: "computer_call", call_id: "4", action: { type: "click" } },
    { type: "shell_call", call_id: "5", action: { commands: ["ls"] }, environment: { type: "container_reference" } },
  ];
  expect(operation.toolCalls(answer({ output: calls })).map(({ id, name, args }) => [id, name, args])).toEqual([
    ["1", "f", "{}"],
    ["2", "c", "free text"],
    ["3", "local_shell", '{"command":["ls"]}'],
    ["4", "computer", '{"type":"click"}'],
  ]);
});

test("a request shows instructions, items and results", () => {
  const text = JSON.stringify({
    model: "m",
    instructions: "be brief",
    input: [
      { role: "user", content: "hi" },
      { type: "function_call", call_id: "1", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "1", output: "42" },
    ],
    tools: [{ type: "function", name: "f" }],
  });
  expect(operation.view({ url: "", text }, null).attributes).toMatchObject({
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.1.message.content": "hi",
    "llm.input_messages.2.message.tool_calls.0.tool_call.id": "1",
    "llm.input_messages.3.message.role": "tool",
    "llm.input_messages.3.message.content": "42",
    "llm.tools.0.tool.json_schema": '{"type":"function","name":"f"}',
    "llm.invocation_parameters": '{"model":"m"}',
  });
});
