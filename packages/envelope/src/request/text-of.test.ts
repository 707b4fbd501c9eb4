import fc from "fast-check";
import { expect, test } from "vitest";
import { textOf } from "./text-of.ts";

test("keeps a BOM and refuses what is no UTF-8", () => {
  expect(textOf(Buffer.from([0xef, 0xbb, 0xbf, 0x41]))).toBe("\ufeffA");
  expect(textOf(Buffer.from([0xff]))).toBeNull();
  expect(textOf(Buffer.from([0xed, 0xa0, 0x80]))).toBeNull();
  expect(textOf(Buffer.from([0xc0, 0x80]))).toBeNull();
});

test("gives text only if it encodes back to the same bytes", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        const text = textOf(bytes);
        if (text !== null) expect(Buffer.from(text).equals(bytes)).toBe(true);
        else expect(Buffer.from(Buffer.from(bytes).toString()).equals(bytes)).toBe(false);
      },
    ),
    { numRuns: 300 },
  );
});
