import { digestRequest, parseJson } from "@reenact/envelope";
import { expect, test } from "vitest";
import { splitMessages } from "./split.ts";

function digests(body: string) {
  return digestRequest({ text: body, mime: "application/json" }, splitMessages(parseJson(body), undefined));
}

test("system is a text or blocks, everything unnamed is a parameter", () => {
  const split = splitMessages(
    parseJson(
      '{"model":"m","system":[{"type":"text"},{"type":"text"}],"messages":[{}],"max_tokens":1,"metadata":{},"new":1}',
    ),
    undefined,
  );
  expect(split).toMatchObject({ model: "m", system: [{}, {}], messages: [{}] });
  expect(split.params.map(({ key }) => key)).toEqual(["max_tokens", "new"]);
  expect(split.unkeyed.map(({ key }) => key)).toEqual(["metadata"]);
  expect(splitMessages(parseJson('{"system":"be brief"}'), undefined).system).toHaveLength(1);
});

test("signatures and sealed thoughts never enter a digest, the thought does", () => {
  const body = (thought: string, signature: string, data: string) =>
    `{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"${thought}","signature":"${signature}"},{"type":"redacted_thinking","data":"${data}"}]}]}`;
  expect(digests(body("t", "s1", "d1"))).toEqual(digests(body("t", "s2", "d2")));
  expect(digests(body("t", "s", "d"))).not.toEqual(digests(body("u", "s", "d")));
});

test("bytes of a picture and arguments of a tool are compared as they are", () => {
  const picture = (data: string) =>
    `{"messages":[{"content":[{"type":"image","source":{"type":"base64","data":"${data}"}}]}]}`;
  const use = (signature: string) =>
    `{"messages":[{"content":[{"type":"tool_use","input":{"signature":"${signature}","cache_control":1}}]}]}`;
  expect(digests(picture("a"))).not.toEqual(digests(picture("b")));
  expect(digests(use("a"))).not.toEqual(digests(use("b")));
});

test("cache marks are unkeyed, under their pointer", () => {
  const mark = '"cache_control":{"type":"ephemeral"}';
  const body = (m: string) =>
    `{"system":[{"type":"text","text":"s"${m}}],"tools":[{"name":"t"${m}}],"messages":[{"role":"user","content":[{"type":"text","text":"x"${m}}]}]}`;
  expect(digests(body(`,${mark}`))).toEqual(digests(body("")));
  expect(splitMessages(parseJson(body(`,${mark}`)), undefined).unkeyed.map(({ key }) => key)).toEqual([
    "/system/0/cache_control",
    "/tools/0/cache_control",
    "/messages/0/content/0/cache_control",
  ]);
});
