import { expect, test } from "vitest";
import { createDialect } from "../dialect.ts";
import { operations } from "./operations.ts";
import { other } from "./provider.ts";

const { recognise } = createDialect(other, () => operations);
const recognised = (body: unknown, method = "POST"): boolean =>
  recognise({
    method,
    url: new URL("https://gateway.example.com/any/path"),
    headers: new Map(),
    body: typeof body === "string" ? body : body === null ? null : JSON.stringify(body),
  }) !== null;

test.each([
  [{ model: "m", messages: [] }],
  [{ modelId: "m", contents: [] }],
  [{ model_id: "m", prompt: "Hello" }],
  ['\n{"prompt": "Hello", "model": "m"}'],
])("a body with a model and a prompt of its own is a model's, wherever it goes: %j", (body) => {
  expect(recognised(body)).toBe(true);
});

test.each([
  ["a trace of somebody's telemetry", { runs: [{ inputs: { model: "m", messages: [] } }] }],
  ["an event with properties", { event: "generation", model: "m", properties: { prompt: "Hello" } }],
  ["a text that quotes one", { text: '{"model":"m","prompt":"Hello"}' }],
  ["a prompt without a model", { prompt: "Hello" }],
  ["a model without a prompt", { model: "m", input: "Hello" }],
  ["members that are null", { model: null, messages: null, prompt: null }],
  ["a list", [{ model: "m", prompt: "Hello" }]],
  ["a body that is no JSON", '{"model":"m","prompt":'],
  ["a body that is not known", null],
])("%s is none", (_, body) => {
  expect(recognised(body)).toBe(false);
});

test("nothing is asked of a model by GET", () => {
  expect(recognised({ model: "m", prompt: "Hello" }, "GET")).toBe(false);
});
