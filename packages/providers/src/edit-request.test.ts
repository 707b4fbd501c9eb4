import { expect, test } from "vitest";
import { editRequest, isEditable, type RequestEdit } from "./edit-request.ts";

const edit = (op: string, body: unknown, ...edits: RequestEdit[]): unknown =>
  JSON.parse(editRequest(op, JSON.stringify(body), edits));
const chat = {
  model: "gpt-5",
  messages: [
    { role: "system", content: "Be kind." },
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
    { role: "user", content: [{ type: "image_url" }, { type: "text", text: "What is it?" }] },
  ],
};

test("the system prompt is replaced where its provider has it, and added where there is none", () => {
  const system = { what: "system", value: "Be brief." } as const;
  expect(edit("openai.chat", chat, system)).toEqual({
    ...chat,
    messages: [{ role: "system", content: "Be brief." }, ...chat.messages.slice(1)],
  });
  expect(edit("openai.chat", { messages: [{ role: "developer", content: "x" }] }, system)).toEqual({
    messages: [{ role: "developer", content: "Be brief." }],
  });
  expect(edit("openai.chat", { messages: [{ role: "user", content: "x" }] }, system)).toMatchObject({
    messages: [{ role: "system" }, { role: "user" }],
  });
  expect(edit("anthropic.messages", { messages: [] }, system)).toEqual({ messages: [], system: "Be brief." });
  expect(edit("openai.responses", { input: "x" }, system)).toEqual({ input: "x", instructions: "Be brief." });
  // messages of its input are the system prompt, too: the AI SDK gives it so
  const input = [{ role: "developer", content: "old" }, { role: "system", content: "old" }, chat.messages[1]];
  expect(edit("openai.responses", { input }, system)).toEqual({
    input: [{ role: "developer", content: "Be brief." }, chat.messages[1]],
  });
  expect(edit("openai.responses", { instructions: "old", input }, system)).toEqual({
    instructions: "Be brief.",
    input: [chat.messages[1]],
  });
});

test("the prompt is the text of the last message of the user, results of tools aside", () => {
  const prompt = { what: "prompt", value: "And now?" } as const;
  expect(edit("openai.chat", chat, prompt)).toMatchObject({
    messages: [{}, { content: "Hi" }, {}, { content: [{ type: "image_url" }, { type: "text", text: "And now?" }] }],
  });
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "3" }] };
  const asked = { messages: [{ role: "user", content: "Hi" }, { role: "assistant", content: [] }, result] };
  expect(edit("anthropic.messages", asked, prompt)).toMatchObject({ messages: [{ content: "And now?" }, {}, result] });
  expect(edit("openai.responses", { input: "Hi" }, prompt)).toEqual({ input: "And now?" });
  const text = (type: string) => ({ type, text: "And now?" });
  const shown = { role: "user", content: [{ type: "input_image" }] };
  expect(edit("openai.responses", { input: [shown] }, prompt)).toMatchObject({
    input: [{ content: [{ type: "input_image" }, text("input_text")] }],
  });
  // Anthropic takes results of tools only ahead of other parts
  const mixed = { role: "user", content: [result.content[0], { type: "image" }] };
  expect(edit("anthropic.messages", { messages: [mixed] }, prompt)).toMatchObject({
    messages: [{ content: [result.content[0], { type: "image" }, text("text")] }],
  });
  expect(() => edit("openai.chat", { messages: [] }, prompt)).toThrow("it has no message of a user");
});

test("parameters are set, added, left out, and reached below another one", () => {
  const params = (name: string, value: unknown) => ({ what: "params", name, value }) as const;
  expect(
    edit("openai.responses", { reasoning: { effort: "low", summary: "auto" } }, params("reasoning.effort", "high")),
  ) //
    .toEqual({ reasoning: { effort: "high", summary: "auto" } });
  expect(edit("openai.chat", { a: 1, b: 2 }, params("a", null), params("temperature", 0))).toEqual({
    b: 2,
    temperature: 0,
  });
});

test("the model is edited where the body names it; numbers keep their digits", () => {
  const model = { what: "model", value: "gpt-6" } as const;
  expect(editRequest("openai.chat", '{"model":"gpt-5","seed":9007199254740993123}', [model])).toBe(
    '{"model":"gpt-6","seed":9007199254740993123}',
  );
  expect(() => edit("openai.chat", { messages: [] }, model)).toThrow("its body names no model");
});

test("a body that an edit does not change stays as it was written; what is not known is refused", () => {
  const body = '{ "model": "gpt-5" }';
  expect(editRequest("openai.chat", body, [{ what: "model", value: "gpt-5" }])).toBe(body);
  expect(() => editRequest("google.generateContent", body, [])).toThrow("cannot be edited");
  expect([isEditable("openai.chat"), isEditable("openai.embeddings")]).toEqual([true, false]);
});
