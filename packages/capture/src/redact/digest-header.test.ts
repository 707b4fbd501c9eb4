import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { digestHeader } from "./digest-header.ts";
import { scrubMessageHeaders, Tally } from "./scrub-exchange.ts";
import type { Scrubber } from "./scrubber.ts";

const body = "an unredacted body";
const hex = createHash("sha256").update(body).digest("hex");
const base64 = createHash("sha256").update(body).digest("base64");
const md5 = createHash("md5").update(body).digest("base64");
const put = (): string => "T";

it.each([
  ["x-amz-content-sha256", hex, "T"],
  ["Content-MD5", md5, "T"],
  ["digest", `SHA-256=${base64},unixsum=30637`, "SHA-256=T,unixsum=T"],
  ["content-digest", `sha-256=:${base64}:, md5=:${md5}:`, "sha-256=:T:, md5=:T:"],
  ["repr-digest", `sha-256=:${base64}:`, "sha-256=:T:"],
  ["etag", `W/"${hex}"`, 'W/"T"'],
  ["ETag", '"abc-1"', '"T"'],
  ["if-none-match", `"${hex}", W/"b"`, '"T", W/"T"'],
  ["x-amz-checksum-crc32", "DUoRhQ==", "T"],
  ["x-amz-checksum-sha256", base64, "T"],
  ["x-goog-hash", `crc32c=n03x6A==,md5=${md5}`, "crc32c=T,md5=T"],
  ["x-checksum-sha1", createHash("sha1").update(body).digest("hex"), "T"],
  ["x-content-hash", hex, "T"],
])("%s: %s", (name, value, out) => {
  expect(digestHeader(name, value, put)).toBe(out);
});

it.each([
  ["x-amz-content-sha256", "UNSIGNED-PAYLOAD"],
  ["x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"],
  ["x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"],
  ["x-amz-sdk-checksum-algorithm", "CRC32"],
  ["x-amz-checksum-type", "FULL_OBJECT"],
  ["x-amz-checksum-mode", "ENABLED"],
  ["if-none-match", "*"],
  ["x-request-id", hex],
  ["content-type", "text/plain"],
])("stays: %s: %s", (name, value) => {
  expect(digestHeader(name, value, put)).toBeNull();
});

const scrubber = {
  policy: "",
  rules: "",
  kid: "",
  addKnown: () => {},
  scrub: (text, hint) =>
    hint?.as === undefined
      ? { text, edits: [], counts: {} }
      : { text: `${hint.as}_abcd_aaaaaaaaaaaaaaaa`, edits: [], counts: { [hint.as]: 1 } },
} satisfies Scrubber as Scrubber;

it("replaces digests of a body that was changed, keeps those of another, and knows a tag again", () => {
  const tally = new Tally();
  const headers: [string, string][] = [["ETag", `"${hex}"`]];
  const asks: [string, string][] = [["if-none-match", `"${hex}"`]];
  expect(scrubMessageHeaders(scrubber, headers, false, tally)).toEqual(headers);
  expect(scrubMessageHeaders(scrubber, asks, false, tally)).toEqual(asks);
  const changed = scrubMessageHeaders(scrubber, headers, true, tally);
  expect(changed).toEqual([["ETag", '"DIGEST_abcd_aaaaaaaaaaaaaaaa"']]);
  expect(tally.counts).toEqual({ DIGEST: 1 });
  expect(scrubMessageHeaders(scrubber, changed, true, tally)).toEqual(changed);
  expect(scrubMessageHeaders(scrubber, asks, false, tally)).toEqual([
    ["if-none-match", '"DIGEST_abcd_aaaaaaaaaaaaaaaa"'],
  ]);
});

it("lets no digest through that a scrubber leaves as it is", () => {
  const idle: Scrubber = { ...scrubber, scrub: (text) => ({ text, edits: [], counts: {} }) };
  expect(scrubMessageHeaders(idle, [["content-md5", md5]], true, new Tally())).toEqual([
    ["content-md5", "UNSCANNED_24"],
  ]);
});
