import { describe, expect, test } from "vitest";
import { sharedCopier } from "./shared-copy.ts";

const source = Uint8Array.from({ length: 300_000 }, (_, n) => (n * 31) % 251);

describe("copying into shared memory", () => {
  test.each([0, 1, 7, 8, 65_535, 65_536, 65_537, 200_000])("%i bytes, wherever they lie and go", (length) => {
    const shared = new Uint8Array(new SharedArrayBuffer(300_000));
    const copy = sharedCopier(shared);
    for (const from of [0, 3, 8]) {
      for (const to of [0, 5, 16, 39]) {
        shared.fill(255);
        copy(source.subarray(from, from + length), to);
        expect(Buffer.compare(shared.subarray(to, to + length), source.subarray(from, from + length))).toBe(0);
        expect([...shared.subarray(0, to)].every((byte) => byte === 255)).toBe(true);
        expect(shared[to + length]).toBe(255);
      }
    }
  });
});
