import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { joinCrc } from "./join-crc.ts";

const bytes = Uint8Array.from({ length: 200_000 }, (_, n) => (n * 31 + (n >> 8)) % 251);

test.each([0, 1, 2, 7, 255, 4096, 65_535, 65_536, 131_073, 200_000])("a checksum joined at byte %i", (at) => {
  const [first, second] = [bytes.subarray(0, at), bytes.subarray(at)];
  expect(joinCrc(crc32(first), crc32(second), second.length)).toBe(crc32(bytes));
});
