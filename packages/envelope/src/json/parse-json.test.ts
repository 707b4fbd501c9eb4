import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalForm } from "../request/canonical-form.ts";
import { JsonSyntaxError } from "../envelope-error.ts";
import { member, toValue } from "./json-node.ts";
import { parseJson } from "./parse-json.ts";

test("keeps literals, duplicate keys, order and offsets", () => {
  const text = ' {"b": 1.0e5, "a": [12345678901234567890, "\\u0041\\n"], "b": null}';
  const node = parseJson(text);
  expect(canonicalForm(node)).toBe('{"a":[12345678901234567890,"A\\n"],"b":1.0e5,"b":null}');
  expect(member(node, "b")?.type).toBe("null");
  const list = member(node, "a")!;
  expect(text.slice(list.start, list.end)).toBe('[12345678901234567890, "\\u0041\\n"]');
});

test("two 19-digit ids stay two", () => {
  const [a, b] = ["1234567890123456788", "1234567890123456789"];
  expect(Number(a)).toBe(Number(b));
  expect(canonicalForm(parseJson(a))).not.toBe(canonicalForm(parseJson(b)));
});

test("__proto__ is a key like any other", () => {
  const value = toValue(parseJson('{"__proto__": {"admin": true}}')) as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect(value["admin"]).toBeUndefined();
});

test("one leading BOM is skipped and counted", () => {
  expect(parseJson("\ufeff[1]")).toMatchObject({ start: 1, end: 4 });
  expect(() => parseJson("\ufeff\ufeff[1]")).toThrow(JsonSyntaxError);
});

test("lone surrogates stay, and the canonical text is well formed", () => {
  const text = canonicalForm(parseJson('{"\\ud800":"\udc00"}'));
  expect(text).toBe('{"\\ud800":"\\udc00"}');
  expect(text.isWellFormed()).toBe(true);
});

test.each([
  ["", "unexpected end"],
  ["[1,]", "unexpected character"],
  ['{"a" 1}', "expected ':'"],
  ['{"a":1,}', "expected a key"],
  ["01", "unexpected text"],
  ['"\u0001"', "control character"],
  ['"\\x"', "bad escape"],
  ['"abc', "unterminated"],
  ["[1] 2", "unexpected text"],
  ["[".repeat(600), "deeper than 512"],
  ["nul", "unexpected character"],
])("refuses %s", (text, why) => {
  expect(() => parseJson(text)).toThrow(why);
  expect(() => parseJson(text)).toThrow(JsonSyntaxError);
});

test("agrees with JSON.parse on every JSON and every broken JSON", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom("", "}", '"', "1", "\\", ","), (json, at, insert) => {
      const cut = at % (json.length + 1);
      for (const text of [json, json.slice(0, cut) + insert + json.slice(cut), json.slice(0, cut)]) {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => parseJson(text)).toThrow(JsonSyntaxError);
          continue;
        }
        expect(toValue(parseJson(text))).toEqual(expected);
        expect(JSON.parse(canonicalForm(parseJson(text)))).toEqual(expected);
      }
    }),
    { numRuns: 300 },
  );
});
