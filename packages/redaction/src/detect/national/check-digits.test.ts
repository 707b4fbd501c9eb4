import { createRequire } from "node:module";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Validator } from "stdnum";
import { digitsIn, mayBeOf } from "./check-digits.ts";
import { FAMILIES } from "./families.ts";

const require = createRequire(import.meta.url);
const limit = Error.stackTraceLimit;
// what does not hold is answered with an error
beforeAll(() => void (Error.stackTraceLimit = 0));
afterAll(() => void (Error.stackTraceLimit = limit));

const two = (max: number): fc.Arbitrary<string> => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, "0"));
const digits = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
/** Digits, some of which begin with a date, as many of these numbers do. */
const numbers = (length: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom("", "1", "3", "19", "20", "000", "756"),
      two(99),
      two(12),
      two(31),
      fc.nat(2),
      digits(length),
      fc.nat(length - 1),
    )
    .map(([head, year, month, day, form, rest]) => {
      const date = [year + month + day, day + month + year, ""][form] as string;
      return (head + date + rest).slice(0, length);
    });

const CHECKED = FAMILIES.filter(({ prefix, check, named }) => prefix === undefined && !check && named !== true);

test.each(CHECKED.map((family) => [family.id, family] as const))("%s: no valid number is refused", (_, family) => {
  const { validate } = require(`stdnum/lib/cjs/${family.validator ?? family.id}.js`) as Validator;
  const lengths = fc.integer({ min: family.length[0], max: family.length[1] });
  fc.assert(
    fc.property(lengths.chain(numbers), fc.nat(30), (number, at) => {
      // each digit in one place: one of them is often the right one
      const place = at % 2 === 0 ? number.length - 1 : at % number.length;
      for (let digit = 0; digit < 10; digit++) {
        const other = number.slice(0, place) + String(digit) + number.slice(place + 1);
        if (mayBeOf(family.id, digitsIn(other))) continue;
        const isForm = family.form === undefined || family.form.test(other);
        expect(isForm && validate(other).isValid, other).toBe(false);
      }
    }),
    { numRuns: 60 },
  );
});

test("numbers with other characters than digits are not judged", () => {
  expect(digitsIn("12345678Z")).toBe(0);
  expect(digitsIn("12.345.678-5")).toBe(9);
  expect(digitsIn("12345678901234567890123")).toBe(0);
  expect(digitsIn("１２３４５６７８")).toBe(0);
});
