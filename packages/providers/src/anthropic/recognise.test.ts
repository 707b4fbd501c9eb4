import { expect, test } from "vitest";
import { createDialect } from "../dialect.ts";
import { operations } from "./operations.ts";
import { anthropic } from "./provider.ts";

const { recognise } = createDialect(anthropic, () => operations);

function seen(url: string, body: string | null, method = "POST") {
  const operation = recognise({ method, url: new URL(url), headers: new Map(), body });
  return operation && { op: operation.op, vendor: operation.vendor, kind: operation.kind, agentic: operation.agentic };
}

const BODY = '{"model":"m","max_tokens":1,"messages":[]}';

test("messages are known by path and body, whatever the host", () => {
  expect(seen("https://api.anthropic.com/v1/messages?beta=true", BODY)).toEqual({
    op: "anthropic.messages",
    vendor: "anthropic",
    kind: "LLM",
    agentic: true,
  });
  expect(seen("http://127.0.0.1:9/proxy/v1/messages", BODY)).toMatchObject({
    op: "anthropic.messages",
    vendor: "unknown",
  });
});

test.each([
  ["https://chat.example/v1/messages", '{"text":"hi"}'],
  ["https://chat.example/v1/messages", '{"messages":[],"input":""}'],
  ["https://chat.example/v1/messages", null],
  ["https://api.anthropic.com/v1/models", BODY],
])("%s with another body is somebody else's", (url, body) => {
  expect(seen(url, body)).toBeNull();
});

test("a body that is not known yet needs a host that is known", () => {
  expect(seen("https://api.anthropic.com/v1/messages", null)).toMatchObject({ op: "anthropic.messages" });
});

test("counting and batches are thin", () => {
  expect(seen("https://api.anthropic.com/v1/messages/count_tokens", '{"messages":[]}')).toMatchObject({
    op: "anthropic.count_tokens",
    kind: "HTTP",
    agentic: true,
  });
  expect(seen("https://api.anthropic.com/v1/messages/batches", '{"requests":[]}')).toMatchObject({
    op: "anthropic.batches",
    kind: "HTTP",
    agentic: true,
  });
  expect(seen("https://api.anthropic.com/v1/messages/batches/b_1", null, "GET")).toMatchObject({
    op: "anthropic.batches.get",
    agentic: false,
  });
});
