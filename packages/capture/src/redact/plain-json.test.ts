import { encodeValue } from "@reenact/envelope";
import { expect, test } from "vitest";
import { plainJson } from "./plain-json.ts";

const shown = (value: unknown) => plainJson(value, encodeValue(value).text);

test.each([
  ["a Buffer", Buffer.from("héllo"), '"héllo"'],
  ["bytes", new TextEncoder().encode("hello"), '"hello"'],
  ["clamped bytes", new Uint8ClampedArray([104, 105]), '"hi"'],
  ["bytes that are no text", Buffer.from("caf\xe9\0", "latin1"), '"caf\u00e9\\u0000"'],
  ["media", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), '"/9j/4A=="'],
  [
    "bytes within",
    { list: [Buffer.from("in")], more: { own: new Uint8Array(0) } },
    '{"list":["in"],"more":{"own":""}}',
  ],
])("%s: their text, else Latin-1, and media base64", (_, value, json) => {
  expect(shown(value)).toBe(json);
});

test("everything else as JSON has it", () => {
  expect(shown({ at: new Date(0), n: 1, no: undefined })).toBe('{"at":"1970-01-01T00:00:00.000Z","n":1}');
  expect(shown(undefined)).toBeNull();
  expect(shown(1n)).toBeNull();
});

test.each(["", "plain", 'quo"ted\n', "\ud800 lone", "😀"])("a text, also as the only argument: %j", (text) => {
  expect(shown(text)).toBe(JSON.stringify(text));
  expect(plainJson(text, encodeValue([text]).text)).toBe(JSON.stringify(text));
});

test("bytes in objects of any kind, beside what says itself how it is shown", () => {
  class Row {
    data = Buffer.from("row");
    at = new Date(0);
  }
  const saying = { toJSON: () => ({ inner: Buffer.from("said") }) };
  const holes: unknown[] = Object.assign([[Buffer.from("deep")]], { 2: 1, length: 3 });
  expect(shown({ row: new Row(), saying, list: holes })).toBe(
    '{"row":{"data":"row","at":"1970-01-01T00:00:00.000Z"},"saying":{"inner":"said"},"list":[["deep"],null,1]}',
  );
});
