import { randomBytes } from "node:crypto";
import { crc32, gunzipSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { BadBody, decompress } from "./body-encoding.ts";

const LIMIT = 1_000_000;
const text = Buffer.from("one text that is said again. ".repeat(3_000));
const packed = gzipSync(text);

const spoiled = (at: number) => {
  const bytes = Buffer.from(packed);
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  return bytes;
};
const named = () => {
  const bytes = Buffer.concat([packed.subarray(0, 10), Buffer.from("name\0"), packed.subarray(10)]);
  bytes[3] = 8;
  return bytes;
};

describe("gzip", () => {
  test.each([0, 1, 100, 70_000, LIMIT])("%i bytes, with their checksum", (length) => {
    const bytes = randomBytes(length);
    const inflated = decompress(gzipSync(bytes), "gzip", LIMIT);
    expect(Buffer.compare(inflated.bytes, bytes)).toBe(0);
    expect(inflated.crc).toBe(crc32(bytes));
  });

  test.each([
    ["a head with a name", named()],
    ["two members", Buffer.concat([packed, gzipSync("and more")])],
    ["two members, the second one empty", Buffer.concat([packed, gzipSync("")])],
    ["two members, the first one empty", Buffer.concat([gzipSync(""), packed])],
    ["zeros behind it", Buffer.concat([packed, Buffer.alloc(9)])],
  ])("%s: as zlib has it", (_, bytes) => {
    const inflated = decompress(bytes, "gzip", LIMIT);
    expect(Buffer.compare(inflated.bytes, gunzipSync(bytes))).toBe(0);
    if (inflated.crc !== undefined) expect(inflated.crc).toBe(crc32(inflated.bytes));
  });

  test.each([
    ["another checksum", spoiled(-6)],
    ["another length", spoiled(-2)],
    ["a flipped bit", spoiled(60)],
    ["cut in its trailer", packed.subarray(0, -3)],
    ["cut in its text", packed.subarray(0, 40)],
    ["too short for anything", packed.subarray(0, 12)],
    ["nothing", Buffer.alloc(0)],
  ])("%s: malformed", (_, bytes) => {
    expect(() => gunzipSync(bytes)).toThrow();
    expect(() => decompress(bytes, "gzip", LIMIT)).toThrow(expect.objectContaining({ status: "malformed" }));
  });
});

test.each([
  ["gzip", gzipSync(Buffer.alloc(LIMIT + 1))],
  ["zstd", zstdCompressSync(Buffer.alloc(LIMIT + 1))],
] as const)("%s that holds more than the limit", (encoding, bytes) => {
  expect(() => decompress(bytes, encoding, LIMIT)).toThrow(BadBody);
  expect(() => decompress(bytes, encoding, LIMIT)).toThrow(expect.objectContaining({ status: "tooLarge" }));
});

test("zstd: some frames are taken, more than any sender makes are not", () => {
  const frame = zstdCompressSync("x");
  const frames = (n: number) => Buffer.concat(Array.from({ length: n }, () => frame));
  expect(decompress(frames(900), "zstd", LIMIT).bytes.toString()).toBe("x".repeat(900));
  expect(() => decompress(frames(1100), "zstd", LIMIT)).toThrow("more than 1000 zstd frames");
});
