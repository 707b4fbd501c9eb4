import { expect, test } from "vitest";
import { createDialect } from "../dialect.ts";
import { operations } from "./operations.ts";
import { openai } from "./provider.ts";

const { recognise } = createDialect(openai, () => operations);

function seen(url: string, body: string | null, { method = "POST", type = "application/json" } = {}) {
  const operation = recognise({ method, url: new URL(url), headers: new Map([["content-type", type]]), body });
  return operation && { op: operation.op, vendor: operation.vendor, kind: operation.kind, agentic: operation.agentic };
}

const CHAT = '{"model":"m","messages":[]}';

test.each([
  ["https://api.openai.com/v1/chat/completions", CHAT, "openai.chat", "openai"],
  ["https://eu.api.openai.com/v1/chat/completions", CHAT, "openai.chat", "openai"],
  ["https://api.groq.com/openai/v1/chat/completions", CHAT, "openai.chat", "groq"],
  ["https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1", CHAT, "openai.chat", "azure"],
  ["https://api.mistral.ai/v1/agents/completions", CHAT, "openai.chat", "mistralai"],
  ["http://127.0.0.1:4000/v1/chat/completions/", CHAT, "openai.chat", "unknown"],
  ["http://127.0.0.1:4000/v1/responses", '{"model":"m","input":"hi"}', "openai.responses", "unknown"],
  ["http://127.0.0.1:4000/v1/embeddings", '{"model":"m","input":"hi"}', "openai.embeddings", "unknown"],
  ["http://127.0.0.1:4000/v1/completions", '{"model":"m","prompt":"hi"}', "openai.completions", "unknown"],
  ["http://127.0.0.1:4000/v1/moderations", '{"input":"hi"}', "openai.moderations", "unknown"],
  ["http://127.0.0.1:4000/v1/images/generations", '{"prompt":"hi"}', "openai.images.generations", "unknown"],
  ["http://127.0.0.1:4000/v1/audio/speech", '{"input":"hi","voice":"v"}', "openai.audio.speech", "unknown"],
])("%s is known by its path and its body", (url, body, op, vendor) => {
  expect(seen(url, body)).toMatchObject({ op, vendor, agentic: true });
});

test.each([
  ["https://survey.example/responses", '{"answers":[1]}'],
  ["https://api.openai.com/v1/chat/completions", "not json"],
  ["https://api.openai.com/v1/models", '{"messages":[]}'],
  ["https://drive.example/v3/files", '{"name":"x"}'],
  ["https://agent.example/v1/embeddings", '{"texts":[]}'],
])("%s is somebody else's when the body does not fit", (url, body) => {
  expect(seen(url, body)).toBeNull();
});

test("a body that is not known yet needs a path or a host that leaves no doubt", () => {
  expect(seen("http://127.0.0.1/v1/chat/completions", null)).toMatchObject({ op: "openai.chat" });
  expect(seen("https://api.openai.com/v1/responses", null)).toMatchObject({ op: "openai.responses" });
  expect(seen("http://127.0.0.1/v1/responses", null)).toBeNull();
});

test("forms are known by their path, or by a field where the path says little", () => {
  const form = { type: "multipart/form-data; boundary=x" };
  const body = '--x\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--x--';
  expect(seen("http://127.0.0.1/v1/audio/transcriptions", null, form)).toMatchObject({
    op: "openai.audio.transcriptions",
  });
  expect(seen("http://127.0.0.1/v1/files", body, form)).toMatchObject({
    op: "openai.files",
    kind: "HTTP",
    agentic: true,
  });
  expect(seen("http://127.0.0.1/v1/files", null, form)).toBeNull();
  expect(seen("http://127.0.0.1/v1/files", body.replace("purpose", "upload"), form)).toBeNull();
});

test("a host with a wire format of its own keeps its other paths", () => {
  expect(seen("https://api.anthropic.com/v1/messages/batches/b_1", null, { method: "GET" })).toBeNull();
  expect(seen("https://api.openai.com/v1/batches/b_1", null, { method: "GET" })).toMatchObject({
    op: "openai.batches.get",
    agentic: false,
  });
});

test("Azure's deployment is the model where the body names none", () => {
  const operation = recognise({
    method: "POST",
    url: new URL("https://x.openai.azure.com/openai/deployments/my%20gpt/chat/completions?api-version=1"),
    headers: new Map(),
    body: '{"messages":[]}',
  });
  expect(operation?.view({ url: "", text: '{"messages":[]}' }, null).model).toEqual({ asked: "my gpt" });
  expect(operation?.dimensions({ type: "object", members: [], start: 0, end: 2 }).model).toBe("my gpt");
});
