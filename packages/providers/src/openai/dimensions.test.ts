import { digestRequest, parseJson } from "@reenact/envelope";
import { expect, test } from "vitest";
import { splitBy } from "./split.ts";

const chat = splitBy({ messages: "messages", tools: ["tools", "functions"] });
const responses = splitBy({ system: "instructions", messages: "input", tools: ["tools"] });

function digests(body: string, split = chat) {
  return digestRequest({ text: body, mime: "application/json" }, split(parseJson(body), undefined));
}

test("system and developer messages at the head are the system prompt, later ones are messages", () => {
  const body = '{"messages":[{"role":"system"},{"role":"developer"},{"role":"user"},{"role":"system"}]}';
  const split = chat(parseJson(body), undefined);
  expect(split.system).toHaveLength(2);
  expect(split.messages).toHaveLength(2);
});

test("instructions come before the head of the input", () => {
  const split = responses(parseJson('{"input":[{"role":"developer"},{"role":"user"}],"instructions":"a"}'), undefined);
  expect(split.system?.map(({ type }) => type)).toEqual(["string", "object"]);
  expect(responses(parseJson('{"input":"hi"}'), undefined).messages).toHaveLength(1);
});

test("bookkeeping is unkeyed, a field that nobody knows is compared", () => {
  const split = chat(
    parseJson('{"model":"m","temperature":0,"user":"u","metadata":{},"brand_new":1,"messages":[]}'),
    undefined,
  );
  expect(split.params.map(({ key }) => key)).toEqual(["temperature", "brand_new"]);
  expect(split.unkeyed.map(({ key }) => key)).toEqual(["user", "metadata"]);
});

test("of a repeated key the last counts as the field, the others are compared as parameters", () => {
  const split = chat(parseJson('{"messages":[],"messages":[{"role":"user"}]}'), undefined);
  expect(split.messages).toHaveLength(1);
  expect(split.params.map(({ key }) => key)).toEqual(["messages"]);
});

test("signatures and sealed thoughts never enter a digest, their presence does", () => {
  const body = (seal: string) =>
    `{"input":[{"type":"reasoning","summary":[],"encrypted_content":"${seal}"},{"role":"user","content":"hi"}]}`;
  expect(digests(body("abc"), responses)).toEqual(digests(body("xyz"), responses));
  expect(digests('{"input":[{"role":"user","content":"ho"}]}', responses)).not.toEqual(digests(body("abc"), responses));
});

test("sealed data of a thought is left out, data of a sound is not", () => {
  const thought = (data: string) =>
    `{"messages":[{"reasoning_details":[{"type":"reasoning.encrypted","data":"${data}"}]}]}`;
  const sound = (data: string) =>
    `{"messages":[{"content":[{"type":"input_audio","input_audio":{"data":"${data}"}}]}]}`;
  expect(digests(thought("a"))).toEqual(digests(thought("b")));
  expect(digests(sound("a"))).not.toEqual(digests(sound("b")));
});

test("a list of tokens is one text", () => {
  expect(splitBy({ messages: "input" })(parseJson('{"input":[1,2,3]}'), undefined).messages).toHaveLength(1);
});

test("a body that is no object is compared as a whole", () => {
  expect(chat(parseJson("[1]"), undefined).params).toHaveLength(1);
});
