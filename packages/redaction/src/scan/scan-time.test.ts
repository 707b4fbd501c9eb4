import { expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7), known: [{ name: "K", value: "zebra-crossing-77" }] });
const SHAPES = [
  "@",
  "a@",
  "a@b.",
  "a%40",
  "sk-",
  "sk-proj-a1",
  "4111 ",
  "4111-1111 1111",
  "eyJ",
  "eyJhbGciOiJIUzI1NiJ9.",
  "-----BEGIN PRIVATE KEY-----",
  "://",
  "://a@",
  "token: ",
  "password=a1",
  "[",
  '{"a":',
  '"',
  String.raw`\"`,
  ";base64,a@b.co ",
  "zebra-crossing-7",
  "EMAIL_abcd_",
  "data: \n",
  "é@ü.",
  "4111 ",
  "1 ",
  "1.",
  "0:",
  "(1",
  "+1 ",
  "DE89 3704 ",
  "phone 1 ",
  "ssn 12345678 ",
  "1 Main ",
  "Calle 1 ",
  "password=",
  "curl -u a:b ",
  "1.1.1.1 ",
  "a.",
  "aA1_",
  "0a-",
  "\u200b",
  "１ ",
  "\u001b[1m",
  "\u001b[",
  "^[[",
  String.raw`\x22`,
  String.raw`\u001b[`,
  "Cookie: a=1;",
  "Cookie=;",
  "Cookie:a=",
  "Cookie: a;",
  "root@10.1.2.3",
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a-",
  '"-p",',
  "–",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa ",
];

/** Milliseconds of the quickest of three passes over new texts. */
function quickest(shape: string, size: number, hint: object): number {
  return Math.min(
    ...[1, 2, 3].map((salt) => {
      const text = shape.repeat(size / shape.length) + salt;
      const before = process.cpuUsage();
      scrubber.scrub(text, hint);
      return process.cpuUsage(before).user / 1000;
    }),
  );
}

test.each(SHAPES)("time is linear in %j", (shape) => {
  for (const hint of [{}, { mime: "text/event-stream" }]) {
    const small = quickest(shape, 16 * 1024, hint);
    const large = quickest(shape, 8 * 16 * 1024, hint);
    // eight times the text: quadratic would be 64 times
    expect(large).toBeLessThan(20 * small + 60);
  }
});
