import { expect, test } from "vitest";
import { createDialect } from "../dialect.ts";
import { operations } from "./operations.ts";
import { openai } from "./provider.ts";

const { recognise } = createDialect(openai, () => operations);

function view(path: string, request: string, response: unknown, mime = "application/json") {
  const operation = recognise({
    method: "POST",
    url: new URL(path, "https://api.openai.com"),
    headers: new Map(),
    body: request,
  });
  if (operation === null) throw new Error(`${path} is not recognised`);
  const text = typeof response === "string" ? response : JSON.stringify(response);
  return operation.view({ url: "", text: request }, { status: 200, mime, text }).attributes;
}

test.each([
  ["one text", '"Paris"', ["Paris"]],
  ["several texts", '["a","b"]', ["a", "b"]],
  ["tokens", "[1,2,3]", ["[3 tokens]"]],
  ["several lists of tokens", "[[1],[2,3]]", ["[1 tokens]", "[2 tokens]"]],
])("embeddings show what was embedded: %s", (_, input, texts) => {
  const attributes = view("/v1/embeddings", `{"model":"e","input":${input}}`, {
    model: "e-1",
    usage: { prompt_tokens: 2, total_tokens: 2 },
  });
  expect(attributes).toMatchObject({ "embedding.model_name": "e-1", "llm.token_count.prompt": 2 });
  texts.forEach((text, n) => expect(attributes[`embedding.embeddings.${n}.embedding.text`]).toBe(text));
});

test("completions show prompt and text", () => {
  expect(
    view("/v1/completions", '{"model":"m","prompt":"a"}', { choices: [{ text: "b", finish_reason: "stop" }] }),
  ).toMatchObject({
    "llm.input_messages.0.message.content": "a",
    "llm.output_messages.0.message.content": "b",
    "gen_ai.operation.name": "text_completion",
  });
});

test("pictures are shown by type and size", () => {
  expect(
    view("/v1/images/generations", '{"model":"m","prompt":"a cat"}', {
      output_format: "webp",
      data: [{ b64_json: "AAAA" }],
    }),
  ).toMatchObject({
    "llm.input_messages.0.message.content": "a cat",
    "llm.output_messages.0.message.contents.0.message_content.text": "[image/webp, 3 bytes]",
  });
});

test("a transcription shows the form's model and the text", () => {
  const form = '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--x--\r\n';
  expect(view("/v1/audio/transcriptions", form, { text: "hello" })).toMatchObject({
    "llm.model_name": "whisper-1",
    "llm.output_messages.0.message.content": "hello",
  });
  const stream =
    'data: {"type":"transcript.text.delta","delta":"hel"}\n\ndata: {"type":"transcript.text.delta","delta":"lo"}\n\n';
  expect(
    view("/v1/audio/transcriptions", form, stream, "text/event-stream")["llm.output_messages.0.message.content"],
  ).toBe("hello");
});

test("of a moderation only the models are shown", () => {
  expect(view("/v1/moderations", '{"input":"x","model":"a"}', { id: "modr-1", model: "b" })).toEqual({
    "gen_ai.operation.name": "moderation",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "a",
    "gen_ai.response.model": "b",
    "gen_ai.response.id": "modr-1",
  });
});

test("speech is shown by type and size, an answer without bytes or an error by neither", () => {
  const body = '{"model":"m","voice":"ash","input":"a"}';
  const head = {
    method: "POST",
    url: new URL("https://api.openai.com/v1/audio/speech"),
    headers: new Map<string, string>(),
    body,
  };
  const spoken = (status: number, bytes: number) =>
    recognise(head)?.view({ url: "", text: body }, { status, mime: "audio/mpeg", text: "", bytes }).attributes;
  const contents = "llm.output_messages.0.message.contents.0.message_content";
  expect(spoken(200, 1200)).toMatchObject({
    [`${contents}.type`]: "audio",
    [`${contents}.text`]: "[audio/mpeg, 1200 bytes]",
    [`${contents}.audio.audio.mime_type`]: "audio/mpeg",
  });
  for (const nothing of [spoken(200, 0), spoken(500, 10)]) expect(nothing).not.toHaveProperty(`${contents}.type`);
});
