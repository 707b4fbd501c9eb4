import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeValue } from "./decode-value.ts";
import { encodeValue } from "./encode-value.ts";
import { renumberValue } from "./renumber-value.ts";

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: true,
  withBoxedValues: true,
  withSparseArray: true,
});

test("the numbers that encoding gave stay", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const { text } = encodeValue(value);
      expect(renumberValue(text)).toBe(text);
    }),
  );
  const hidden = Object.defineProperty({ a: "x" }, "b", { value: ["y"] });
  const error = Object.assign(new TypeError("t", { cause: { a: 1 } }), { code: "E" });
  const { text } = encodeValue([hidden, error, Symbol.for("k"), /a/g, new URL("https://h.example/"), Buffer.from("z")]);
  expect(renumberValue(text)).toBe(text);
});

test("a node that was put at the end, and one that nothing refers to", () => {
  expect(renumberValue('[{"a":3,"b":1},"x","gone","y"]')).toBe('[{"a":1,"b":2},"y","x"]');
  expect(renumberValue('[[1,2,-1],"x","x"]')).toBe('[[1,1,-1],"x"]');
  expect(decodeValue(renumberValue('[["Map",3,1],["Set",2],"v","k"]'))).toEqual(new Map([["k", new Set(["v"])]]));
  expect(() => renumberValue('[{"a":7}]')).toThrow(RangeError);
});
