import fc from "fast-check";
import { expect, test } from "vitest";
import { KnownTexts } from "./known-texts.ts";
import { decodeSpan, encodeSpan, plainSpan } from "./span.ts";

const ids = { traceId: "1".repeat(32), spanId: "2".repeat(16) };
const text = fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom("", "ä".repeat(20), "x".repeat(40)));
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 }));
const spans = fc.array(
  fc.record({
    name: fc.constantFrom("chat", "tool", ""),
    // a history: what was there before, and more of it
    history: fc.nat({ max: 12 }),
    changed: fc.option(fc.tuple(fc.nat({ max: 12 }), value), { nil: null }),
    more: fc.dictionary(text, value, { maxKeys: 3 }),
  }),
  { maxLength: 8 },
);

test("spans are decoded as they are without what is known of those before", () => {
  fc.assert(
    fc.property(spans, fc.option(fc.nat({ max: 50 }), { nil: undefined }), (drawn, longest) => {
      const messages = drawn.map(({ name, history, changed, more }) => {
        const attributes: Record<string, unknown> = {};
        for (let n = 0; n < history; n++) attributes[`message.${n}`] = `said in turn ${n}: ${"é".repeat(n * 7)}`;
        if (changed) attributes[`message.${changed[0]}`] = changed[1];
        return encodeSpan(plainSpan({ ...ids, name, attributes: { ...attributes, ...more } }));
      });
      const memory = new Uint8Array(messages.reduce((sum, each) => sum + each.length, 3));
      let at = 3;
      const placed = messages.map((each) => {
        memory.set(each, at);
        at += each.length;
        return memory.subarray(at - each.length, at);
      });
      const known = new KnownTexts(memory.buffer);
      for (const each of placed) expect(decodeSpan(each, longest, undefined, known)).toEqual(decodeSpan(each, longest));
    }),
  );
});

test("bytes of another memory are decoded, and not kept", () => {
  const long = "y".repeat(100);
  const message = encodeSpan(plainSpan({ ...ids, name: "chat", attributes: { long } }));
  const known = new KnownTexts(new Uint8Array(message).buffer);
  expect(decodeSpan(message, undefined, undefined, known).attributes).toEqual({ long });
});
