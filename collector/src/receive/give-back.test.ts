import { describe, expect, test } from "vitest";
import { giveBack } from "./give-back.ts";

describe("giving memory back", () => {
  test("bytes with a buffer to themselves are gone", () => {
    const bytes = new Uint8Array(20_000);
    giveBack(bytes);
    expect(bytes.length).toBe(0);
  });

  test("a view with no more than the spare bytes behind it goes with them", () => {
    const bytes = new Uint8Array(20_001).subarray(0, 20_000);
    giveBack(bytes);
    expect(bytes.length).toBe(20_000);
    giveBack(bytes, 1);
    expect(bytes.length).toBe(0);
  });

  test("a part of a larger buffer, what is small and what is shared stay", () => {
    const kept = [
      new Uint8Array(20_001).subarray(1),
      new Uint8Array(50_000).subarray(0, 20_000),
      new Uint8Array(100),
      new Uint8Array(new SharedArrayBuffer(20_000)),
    ];
    for (const bytes of kept) {
      const { length } = bytes;
      giveBack(bytes);
      expect(bytes.length).toBe(length);
    }
  });
});
