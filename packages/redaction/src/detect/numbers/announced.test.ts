import { expect, test } from "vitest";
import { createScrubber } from "../../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });

test.each([
  ["NI number AB 123456 C", "AB 123456 C", "NATIONAL_ID"],
  ["SSN# 722657715", "722657715", "SSN"],
  ["SSN#: 722-65-7715", "722-65-7715", "SSN"],
  ["piva: 00743110157", "00743110157", "NATIONAL_ID"],
  ["SV-Nummer: 65 170839 J 003", "65 170839 J 003", "NATIONAL_ID"],
  ["RV-Nr. 65170839J003", "65170839J003", "NATIONAL_ID"],
  ["r.č. 670418/5301", "670418/5301", "NATIONAL_ID"],
  ["주민번호 900101-1234568", "900101-1234568", "NATIONAL_ID"],
  ["आधार संख्या 2345 6789 0124", "2345 6789 0124", "NATIONAL_ID"],
  ["номер паспорта 45 08 123456", "45 08 123456", "PASSPORT"],
  ["numer telefonu 512 345 678", "512 345 678", "PHONE"],
  ["fecha_nacimiento: 1955-02-09", "1955-02-09", "BIRTH_DATE"],
])("%s", (text, value, type) => {
  const token = expect.stringMatching(new RegExp(`^${type}_`)) as string;
  const start = text.indexOf(value);
  expect(scrubber.scrub(text).edits).toEqual([{ start, end: start + value.length, with: token }]);
});
