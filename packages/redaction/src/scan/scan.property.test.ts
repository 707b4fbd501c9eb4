import fc from "fast-check";
import { expect, test } from "vitest";
import { createScanner } from "./scan.ts";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 3) });
const scanner = createScanner(() => true);
const VALUES = [
  "alice@example.com",
  "4111 1111 1111 1111",
  "5555555555554444",
  "DE89 3704 0044 0532 0130 00",
  "+44 20 7946 0404",
  "(202) 555-0128",
  "202-555-0128",
  "155-27-8663",
  "203.0.113.126",
  "2001:db8::8a2e:370:7334",
  "00:1A:2B:3C:4D:5E",
  "001a.2b3c.4d5e",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  "529.982.247-25",
  "12345678Z",
  "44051401359",
  "X1234567",
  "23/02/1983",
  "12 Elm Avenue Apt. 4",
  "ghp_x8Kq2LmVt5Rb9WzJd4Yc7Np3Hs6Gf1Tu0QeA",
  "postgres://joe:s3cret@db/x",
  "password=abc123def",
  "curl -u joe:s3cr3tpw",
  "123456789",
  "5550128",
];
const WORDS = [
  "passport number ",
  "SSN ",
  "PESEL: ",
  "phone ",
  "call ",
  "born on ",
  "card ",
  "tax id ",
  "version ",
  " and ",
  " is my SSN",
  "Rue ",
  "Hauptstraße ",
  "token: ",
  "key=",
];
const NOISE = [
  " ",
  ", ",
  "\n",
  "\\n",
  "-",
  ".",
  "/",
  ":",
  "_",
  "+",
  "(",
  ")",
  "@",
  "=",
  "0",
  "7",
  "a",
  "Z",
  "é",
  "\u200b",
  "\u2013",
  "１",
  "日",
  "\ud800",
  '"',
  "§",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...VALUES), fc.constantFrom(...WORDS), fc.constantFrom(...NOISE)), { maxLength: 9 })
  .map((parts) => parts.join(""));
const runs = { numRuns: 1500 };

test("a second pass over what was written changes nothing", () => {
  fc.assert(
    fc.property(text, (source) => {
      const once = scrubber.scrub(source).text;
      expect(scrubber.scrub(once).text).toBe(once);
    }),
    runs,
  );
});

test("hits are sorted, apart and inside the leaf, and do not depend on what stands around it", () => {
  fc.assert(
    fc.property(text, text, (source, around) => {
      const hits = scanner.scan(source, 0, source.length);
      let from = 0;
      for (const { start, end } of hits) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(end).toBeGreaterThan(start);
        from = end;
      }
      expect(from).toBeLessThanOrEqual(source.length);
      const inside = scanner.scan(around + source + around, around.length, around.length + source.length);
      expect(inside.map((hit) => ({ ...hit, start: hit.start - around.length, end: hit.end - around.length }))).toEqual(
        hits,
      );
    }),
    runs,
  );
});

test("full-width digits and characters without room hide nothing", () => {
  const wide = (value: string): string =>
    value.replace(/[0-9A-Za-z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).replaceAll("-", "\u2011");
  for (const value of ["4111 1111 1111 1111", "155-27-8663", "+44 20 7946 0404", "alice@example.com", "12345678Z"]) {
    const token = scrubber.scrub(value).text;
    expect(scrubber.scrub(wide(value)).text, value).toBe(token);
    expect(scrubber.scrub([...value].join("\u200b")).text, value).toBe(token);
    expect(scrubber.scrub(`x ${[...value].join("\u00ad")} y`).text, value).toBe(`x ${token} y`);
  }
});
