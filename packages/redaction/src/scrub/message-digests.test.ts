import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const body = '{"to":"grace.hopper@example.com"}';
const digest = createHash("md5").update(body).digest("hex");

test.each([
  ["a message", JSON.stringify({ Messages: [{ Body: body, MD5OfBody: digest, MessageId: "m1" }] })],
  ["a message within a text", JSON.stringify({ text: JSON.stringify({ Body: body, MD5OfBody: digest }) })],
  ["its attributes", JSON.stringify({ Body: body, MD5OfMessageAttributes: digest })],
  ["an element", `<Message><Body>grace.hopper@example.com</Body><MD5OfBody>${digest}</MD5OfBody></Message>`],
])("of %s that is changed, the digest goes too", (_, text) => {
  const mime = text.startsWith("<") ? "text/xml" : "application/json";
  const { text: out } = scrubber.scrub(text, { mime });
  expect(out).not.toContain(digest);
  expect(out).toContain("SECRET_");
  expect(scrubber.scrub(out, { mime }).text).toBe(out);
});

test("of a message in which nothing is changed, it stays", () => {
  const text = JSON.stringify({ Body: "hello", MD5OfBody: digest });
  expect(scrubber.scrub(text, { mime: "application/json" }).text).toBe(text);
});
