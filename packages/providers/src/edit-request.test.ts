import { expect, test } from "vitest";
import { editRequest, isEditable, type RequestEdit } from "./edit-request.ts";

const edit = (op: string, body: unknown, ...edits: RequestEdit[]): unknown =>
  JSON.parse(editRequest(op, { url: "https://x.example/v1", headers: [], body: JSON.stringify(body) }, edits).body);
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
  const body = '{"model":"gpt-5","seed":9007199254740993123}';
  expect(editRequest("openai.chat", { url: "https://x.example/v1", headers: [], body }, [model])).toEqual({
    url: "https://x.example/v1",
    body: '{"model":"gpt-6","seed":9007199254740993123}',
  });
  expect(() => edit("openai.chat", { messages: [] }, model)).toThrow("its body names no model");
});

test("a body that an edit does not change stays as it was written; what is not known is refused", () => {
  const body = '{ "model": "gpt-5" }';
  const request = { url: "https://x.example/v1", headers: [], body };
  expect(editRequest("openai.chat", request, [{ what: "model", value: "gpt-5" }])).toEqual({ url: request.url, body });
  expect(() => editRequest("bedrock.invoke", request, [])).toThrow("requests of bedrock.invoke cannot be edited");
  expect([isEditable("openai.chat"), isEditable("openai.embeddings")]).toEqual([true, false]);
});

const at = (op: string, url: string, headers: [string, string][], body: unknown, ...edits: RequestEdit[]) => {
  const edited = editRequest(op, { url, headers, body: JSON.stringify(body) }, edits);
  return { url: edited.url, body: JSON.parse(edited.body) as unknown };
};

test("a model in the path is edited there, and in the body where that names it, too", () => {
  const model = { what: "model", value: "us.acme:0/m" } as const;
  const google = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3:streamGenerateContent?alt=sse";
  expect(at("google.generate.stream", google, [], { contents: [] }, { what: "model", value: "models/g-4" })).toEqual({
    url: google.replace("gemini-3", "g-4"),
    body: { contents: [] },
  });
  const bedrock = "https://bedrock-runtime.us-east-1.amazonaws.com/model/model/converse";
  expect(at("bedrock.converse", bedrock, [["authorization", "Bearer k"]], {}, model).url).toBe(
    bedrock.replace("model/model", "model/us.acme%3A0%2Fm"),
  );
  const azure = "https://a.openai.azure.com/openai/deployments/d/chat/completions?api-version=1";
  expect(at("openai.chat", azure, [], { model: "d" }, { what: "model", value: "e" })).toEqual({
    url: azure.replace("/d/", "/e/"),
    body: { model: "e" },
  });
});

test("Google and Bedrock: system prompt, prompt and parameters stand where their bodies have them", () => {
  const [system, prompt] = [{ what: "system", value: "S" } as const, { what: "prompt", value: "P" } as const];
  const [cool, limit] = ["temperature", "toolConfig.x"].map((name) => ({ what: "params", name, value: 0 }) as const);
  const result = { role: "user", parts: [{ functionResponse: { name: "f" } }] };
  const contents = [{ parts: [{ inlineData: {} }, { text: "Hi" }] }, { role: "model", parts: [] }, result];
  const systemInstruction = { role: "user", parts: [{ text: "a" }, { text: "b" }] };
  expect(edit("google.generate", { contents, systemInstruction }, system, prompt, cool!, limit!)).toEqual({
    contents: [{ parts: [{ inlineData: {} }, { text: "P" }] }, ...contents.slice(1)],
    systemInstruction: { role: "user", parts: [{ text: "S" }] },
    generationConfig: { temperature: 0 },
    toolConfig: { x: 0 },
  });
  const told = { role: "user", content: [{ toolResult: { toolUseId: "t" } }] };
  const messages = [{ role: "user", content: [{ image: {} }] }, told];
  const inferenceConfig = { temperature: 1, maxTokens: 9 };
  const converse = { messages, system: [{ text: "a" }, { cachePoint: {} }, { text: "b" }], inferenceConfig };
  expect(edit("bedrock.converse.stream", converse, system, prompt, cool!, limit!)).toEqual({
    messages: [{ role: "user", content: [{ image: {} }, { text: "P" }] }, told],
    system: [{ text: "S" }, { cachePoint: {} }],
    inferenceConfig: { temperature: 0, maxTokens: 9 },
    toolConfig: { x: 0 },
  });
  expect(edit("bedrock.converse", { messages }, system)).toEqual({ messages, system: [{ text: "S" }] });
  expect(edit("ollama.generate", { prompt: "Hi", think: true }, system, prompt, cool!)).toEqual({
    prompt: "P",
    system: "S",
    think: true,
    options: { temperature: 0 },
  });
});

test("a signed request is not changed", () => {
  const signed: [string, string][] = [["Authorization", "AWS4-HMAC-SHA256 Credential=x"]];
  const [url, system] = ["https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse", "S"];
  expect(() => at("bedrock.converse", url, signed, {}, { what: "system", value: system })).toThrow("AWS_BEARER_TOKEN");
  expect(at("bedrock.converse", url, signed, {}, { what: "model", value: "m" }).url).toBe(url);
});
