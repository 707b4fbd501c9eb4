import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const make = () => createScrubber({ key: Buffer.alloc(32, 4) });
const scrubber = make();
const IDS = [
  "id",
  "user_id",
  "user.id",
  "session",
  "session_id",
  "session.id",
  "message_id",
  "conversationId",
  "userID",
];
const OTHERS = ["ids", "trace_id", "created_at", "timestamp", "cursor", "nonce", "request-id", "uuid", "etag", "price"];

const SHAPES = [
  "+1 415 555 0132",
  "+442079460404",
  "4111 1111 1111 1111",
  "4111-1111-1111-1111",
  "DE89370400440532013000",
  "DE89 3704 0044 0532 0130 00",
  "155-27-8663",
  "203.0.113.126",
  "2001:db8::8a2e:370:7334",
  "00:1A:2B:3C:4D:5E",
  "00-1a-2b-3c-4d-5e",
  "alice@example.com",
];
const SENTENCES = [
  "call me at 020 7946 0404",
  "my card is 4111111111111111",
  "my SSN: 155278663",
  "phone 5550128",
  "passport number X1234567",
  "born on 23/02/1983",
  "at 188 Quay Road, Leeds 04723",
  "my card 4111111111111111 is lost",
];
const KEPT = [
  "4111111111111111",
  "5555555555554444",
  "155278663",
  "1700000000",
  "1700000000.123456",
  "1753920712345678901",
  "chatcmpl-9fK3mQ2Zt7vXcB4nR8sLpY6wJ1dHg",
  "toolu_01A09q90qw90lq917835lq9",
  "call_4111111111111111",
  "msg_01XFDUDYJgAACzvnptvVoYEL",
  "req_011CSHoEeqs5C35K2UUqR7Fy",
  "c56a4180-65aa-42ec-a945-5fd21dec0538",
  "12345678-1234-4234-8234-123456789012",
  "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  "4bf92f3577b34da6a3ce929d0e0e4736",
  "00f067aa0ba902b7",
  "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  "2026-01-02T03:04:05.678Z",
  "user_4111111111111111",
  "4111111111111111,5555555555554444",
  'W/"ee352133-39cf7d691af2"',
  "be42a39007547034",
];

const name = fc.constantFrom(...IDS, ...OTHERS);
const places = (key: string, text: string): [source: string, hint: object][] => [
  [text, { key }],
  [JSON.stringify({ [key]: text }), { mime: "application/json" }],
  [JSON.stringify({ [key]: [text] }), { mime: "application/json" }],
  [JSON.stringify({ a: JSON.stringify({ [key]: text }) }), { mime: "application/json" }],
  [`data: ${JSON.stringify({ [key]: text })}\n\n`, { mime: "text/event-stream" }],
  [new URLSearchParams([[key, text]]).toString(), { mime: "application/x-www-form-urlencoded" }],
  [`https://h.example/a?${new URLSearchParams([[key, text]]).toString()}`, { key: "url" }],
];

describe("a name that sounds like an id excuses digits alone", () => {
  test.each(SHAPES)("a self-evident shape is found under it as under any other name: %s", (shape) => {
    const token = scrubber.scrub(shape).text;
    expect(token).toMatch(/^[A-Z_]+_[a-z]{4}_[a-z]{16}$/);
    for (const key of [...IDS, ...OTHERS])
      for (const [source, hint] of places(key, shape))
        expect(scrubber.scrub(source, hint).text, source).toContain(token);
  });

  test.each(SENTENCES)("free text is read under it as under any other name: %s", (sentence) => {
    const elsewhere = scrubber.scrub(sentence, { key: "note" }).text;
    expect(elsewhere).not.toBe(sentence);
    for (const key of [...IDS, ...OTHERS]) expect(scrubber.scrub(sentence, { key }).text, key).toBe(elsewhere);
  });

  test.each(KEPT)("ids stay: %s", (id) => {
    for (const key of [...IDS, ...OTHERS].filter((each) => each !== "session"))
      for (const [source, hint] of places(key, id)) expect(scrubber.scrub(source, hint).text, source).toBe(source);
  });

  test("versions of four numbers stay under the names of versions and models", () => {
    for (const key of ["version", "app_version", "apiVersion", "model", "rev"])
      expect(scrubber.scrub("10.1.2.3", { key }).text, key).toBe("10.1.2.3");
  });

  test("digits of any number stay under such a name, and go with the separators of a shape", () => {
    fc.assert(
      fc.property(
        name.filter((each) => each !== "session"),
        fc.stringMatching(/^[1-9][0-9]{0,19}$/),
        (key, digits) => {
          expect(scrubber.scrub(digits, { key }).text).toBe(digits);
          const source = JSON.stringify({ [key]: digits, [`x_${key}`]: [digits] });
          expect(scrubber.scrub(source, { mime: "application/json" }).text).toBe(source);
        },
      ),
    );
  });
});
