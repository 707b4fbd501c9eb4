import { expect, test } from "vitest";
import { conversationOf, itemsOf, type StepItem } from "./step-items.ts";

const short = (items: readonly StepItem[]) => items.map(({ is, role, name, text }) => [is, role, name, text].join("|"));
const read = (input: unknown, output: unknown) => {
  const items = itemsOf({ kind: "LLM", input: JSON.stringify(input), output: JSON.stringify(output) });
  return { input: short(items.input), output: short(items.output) };
};

test("OpenAI's chat: the first request has system and user, the next one the results of the calls", () => {
  const call = { id: "c1", type: "function", function: { name: "find", arguments: '{"id":7}' } };
  const system = { role: "system", content: "Be kind." };
  const user = { role: "user", content: [{ type: "text", text: "Where is it?" }, { type: "image_url" }] };
  const answer = { role: "assistant", content: "I look.", tool_calls: [call] };
  expect(read({ messages: [system, user] }, { choices: [{ message: answer }] })).toEqual({
    input: ["text|system||Be kind.", "text|user||Where is it?", "text|user||[image_url]"],
    output: ["text|assistant||I look.", 'call|assistant|find|{"id":7}'],
  });
  const result = { role: "tool", tool_call_id: "c1", content: "row 7" };
  expect(read({ messages: [system, user, answer, result] }, { choices: [{ message: { content: "Here." } }] })).toEqual({
    input: ["result|tool|find|row 7"],
    output: ["text|assistant||Here."],
  });
});

test("OpenAI's responses: items instead of messages", () => {
  const input = [
    { role: "user", content: "add" },
    { type: "function_call", call_id: "c1", name: "sum", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: "3" },
  ];
  const output = [
    { type: "reasoning", summary: [{ type: "summary_text", text: "easy" }] },
    { type: "function_call", name: "sum", arguments: "{}" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "3" }] },
  ];
  expect(read({ instructions: "Count.", input }, { output })).toEqual({
    input: ["result|tool|sum|3"],
    output: ["reasoning|assistant||easy", "call|assistant|sum|{}", "text|assistant||3"],
  });
});

test("Anthropic: the system prompt beside the messages, thinking, tool use and its result", () => {
  const use = { type: "tool_use", id: "t1", name: "find", input: { id: 7 } };
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: [use] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "row" }] }] },
  ];
  const content = [{ type: "thinking", thinking: "hm" }, { type: "text", text: "done" }, use];
  expect(read({ system: "Be short.", messages: messages.slice(0, 1) }, { content })).toEqual({
    input: ["text|system||Be short.", "text|user||go"],
    output: ["reasoning|assistant||hm", "text|assistant||done", 'call|assistant|find|{"id":7}'],
  });
  expect(read({ system: "Be short.", messages }, { content: [] }).input).toEqual(["result|tool|find|row"]);
});

test("Google: contents with parts, and candidates", () => {
  const contents = [{ role: "user", parts: [{ text: "go" }] }];
  const parts = [{ text: "yes" }, { functionCall: { name: "find", args: { id: 7 } } }];
  expect(
    read(
      { systemInstruction: { parts: [{ text: "Be." }] }, contents },
      { candidates: [{ content: { role: "model", parts } }] },
    ),
  ).toEqual({
    input: ["text|system||Be.", "text|user||go"],
    output: ["text|assistant||yes", 'call|assistant|find|{"id":7}'],
  });
});

test("what is no JSON, or no shape that is known, is shown as it is", () => {
  expect(short(itemsOf({ kind: "LLM", input: "{broken", output: '{"odd":1}' }).input)).toEqual(["text|user||{broken"]);
  expect(short(itemsOf({ kind: "LLM", input: null, output: '{"odd":1}' }).output)).toEqual([
    'text|assistant||{"odd":1}',
  ]);
  expect(itemsOf({ kind: "LLM", input: null, output: '{"error":{"message":"busy"}}' }).output).toEqual([]);
  expect(itemsOf({ kind: "TOOL", input: '{"id":7}', output: null })).toEqual({
    input: [{ is: "text", role: "user", name: null, text: '{"id":7}' }],
    output: [],
  });
});

test("Bedrock: tool use and its result, and the message of a Converse answer", () => {
  const use = { toolUse: { toolUseId: "t1", name: "find", input: { id: 7 } } };
  const result = { toolResult: { toolUseId: "t1", content: [{ json: { row: 7 } }, { text: "found" }] } };
  const messages = [
    { role: "user", content: [{ text: "go" }] },
    { role: "assistant", content: [use] },
    { role: "user", content: [result] },
  ];
  const output = { message: { role: "assistant", content: [{ text: "yes" }, use] } };
  expect(read({ messages }, { output })).toEqual({
    input: ['result|tool|find|{"row":7}\nfound'],
    output: ["text|assistant||yes", 'call|assistant|find|{"id":7}'],
  });
});

test("instructions beside an input that is one text", () => {
  expect(read({ instructions: "Count.", input: "add" }, { output: [] }).input).toEqual([
    "text|system||Count.",
    "text|user||add",
  ]);
});

test("all of a conversation, also what earlier turns have added", () => {
  const call = { id: "c1", type: "function", function: { name: "find", arguments: "{}" } };
  const messages = [
    { role: "system", content: "Be kind." },
    { role: "user", content: "go" },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: "row 7" },
  ];
  expect(short(conversationOf(JSON.stringify({ messages })))).toEqual([
    "text|system||Be kind.",
    "text|user||go",
    "call|assistant|find|{}",
    "result|tool|find|row 7",
  ]);
});
