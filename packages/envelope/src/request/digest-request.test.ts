import { expect, test } from "vitest";
import { canonicalRequest, type Dimensions } from "./canonical-request.ts";
import { digestRequest } from "./digest-request.ts";
import { parseJson } from "../json/parse-json.ts";

const ALICE = "EMAIL_abcd_qwertyuiopasdfgh";
const BOB = "EMAIL_abcd_hgfdsapoiuytrewq";
const CALL_A = "call_a1B2c3D4e5F6g7H8i9J0k1L2";
const CALL_B = "call_Z9y8X7w6V5u4T3s2R1q0P9o8";

const list = (items: unknown[]) => items.map((item) => parseJson(JSON.stringify(item)));
function chat(parts: { system?: string; tools?: unknown[]; messages: unknown[]; temperature?: string }): Dimensions {
  return {
    model: "gpt-4o",
    params: [{ key: "temperature", value: parseJson(parts.temperature ?? "0.5") }],
    unkeyed: [],
    ...(parts.system !== undefined && { system: list([parts.system]) }),
    ...(parts.tools && { tools: list(parts.tools) }),
    messages: list(parts.messages),
  };
}
const digest = (parts: Parameters<typeof chat>[0]) =>
  digestRequest({ text: "", mime: "application/json" }, chat(parts));
const json = (text: string) => digestRequest({ text, mime: "application/json; charset=utf-8" }, null).body;

test("has one digest per dimension and per message", () => {
  const digests = digest({ system: "be kind", tools: [], messages: [{ content: "a" }, { content: "b" }] });
  expect(Object.keys(digests).toSorted()).toEqual(["body", "messages", "model", "params", "system", "tools"]);
  expect(digests.messages).toHaveLength(2);
  expect(digests.body).toMatch(/^[0-9a-f]{64}$/);
});

test("tools are compared by name, whatever their order", () => {
  const one = { type: "function", function: { name: "one", parameters: { a: 1 } } };
  const two = { type: "function", function: { name: "two" } };
  const messages: unknown[] = [];
  expect(digest({ tools: [one, two], messages })).toEqual(digest({ tools: [two, one], messages }));
});

test("a digest does not depend on the redaction key", () => {
  const other = (text: string) => text.replaceAll("_abcd_", "_wxyz_").replaceAll("qwerty", "ytrewq");
  const messages = (text: (of: string) => string) => [
    { content: text(`from ${ALICE} to ${BOB}`) },
    { content: text(ALICE) },
  ];
  expect(digest({ messages: messages((text) => text) })).toEqual(digest({ messages: messages(other) }));
  expect(digest({ messages: [{ content: `${ALICE} ${BOB}` }, { content: ALICE }] })).not.toEqual(
    digest({ messages: [{ content: `${ALICE} ${BOB}` }, { content: BOB }] }),
  );
});

test("a literal that looks like a renamed token is no token", () => {
  expect(digest({ messages: ["EMAIL#1"] }).body).not.toBe(digest({ messages: [ALICE] }).body);
  expect(digest({ messages: ["\u0001EMAIL#1\u0001"] }).body).not.toBe(digest({ messages: [ALICE] }).body);
});

test("a token that is new in the system prompt leaves the messages alone", () => {
  const before = digest({ system: "hi", messages: [BOB] });
  const after = digest({ system: `hi ${ALICE}`, messages: [BOB] });
  expect(after.messages).toEqual(before.messages);
  expect(after.system).not.toBe(before.system);
  expect(after.body).not.toBe(before.body);
});

test("ids that a provider minted are compared as written: in a replay they come from the record", () => {
  const run = (id: string) => digest({ messages: [{ tool_calls: [{ id }] }, { role: "tool", tool_call_id: id }] });
  expect(run(CALL_A)).not.toEqual(run(CALL_B));
  expect(json(`{"previous_response_id":"${CALL_A}"}`)).not.toBe(json(`{"previous_response_id":"${CALL_B}"}`));
});

test("number literals are compared as written", () => {
  expect(digest({ messages: [], temperature: "1.0" }).params).not.toBe(
    digest({ messages: [], temperature: "1" }).params,
  );
  expect(json('{"id":1234567890123456788}')).not.toBe(json('{"id":1234567890123456789}'));
});

test("JSON bodies are compared by canonical form, bytes and text alike", () => {
  expect(json('{"a":1,"b":"\\u0041"}')).toBe(json('{ "b": "A", "a": 1 }'));
  const bytes = Buffer.from('{"b":"A","a":1}');
  expect(digestRequest({ bytes, mime: "application/json" }, null).body).toBe(json('{"a":1,"b":"A"}'));
  expect(digestRequest({ text: "{a", mime: "application/json" }, null)).toEqual(
    digestRequest({ text: "{a", mime: "text/plain" }, null),
  );
  expect(digestRequest(null, null).body).not.toBe(digestRequest({ text: "", mime: "" }, null).body);
});

test("a form does not depend on its boundary", () => {
  const form = (boundary: string, last: string | Buffer) => ({
    mime: `multipart/form-data; boundary="${boundary}"`,
    bytes: Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nassistants\r\n--${boundary}\r\n`,
      ),
      Buffer.from(
        'Content-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n',
      ),
      Buffer.from(last),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  });
  const of = (boundary: string, last: string | Buffer) => digestRequest(form(boundary, last), null).body;
  expect(of("aaa", Buffer.of(255, 254))).toBe(of("bbbb", Buffer.of(255, 254)));
  expect(of("aaa", Buffer.of(255, 254))).not.toBe(of("aaa", Buffer.of(255, 253)));
  expect(of("aaa", ALICE)).toBe(of("b", BOB));
  expect(canonicalRequest(form("x", ""), null).body).toContain(
    '"name":"file","text":"","type":"application/octet-stream"',
  );
  expect(canonicalRequest({ text: "--x broken", mime: "multipart/form-data; boundary=x" }, null).body).toMatch(
    /^reenact\/2 text\n/,
  );
});

test("bytes that are no text are digested as they are", () => {
  const of = (...bytes: number[]) => digestRequest({ bytes: Uint8Array.from(bytes), mime: "image/png" }, null).body;
  expect(of(255, 1)).not.toBe(of(255, 2));
});
