import fc from "fast-check";
import { expect, test } from "vitest";
import { findTokens, renameTokens } from "./token.ts";

const ALICE = "EMAIL_abcd_qwertyuiopasdfgh";
const BOB = "EMAIL_abcd_hgfdsapoiuytrewq";

test("finds tokens wherever they stand", () => {
  const text = `to ${ALICE},${BOB}x API_KEY_abcd_qwertyuiopasdfgh UNSCANNED_120 EMAIL_abcd_short x_abcd_qwertyuiopasdfgh`;
  expect(findTokens(text).map(({ type, token, start }) => [type, token, text.indexOf(token) === start])).toEqual([
    ["EMAIL", ALICE, true],
    ["EMAIL", BOB, true],
    ["API_KEY", "API_KEY_abcd_qwertyuiopasdfgh", true],
    ["UNSCANNED", "UNSCANNED_120", true],
  ]);
});

test("numbers by first appearance, per type", () => {
  expect(renameTokens(`${BOB} ${ALICE} ${BOB} CARD_abcd_qwertyuiopasdfgh`)).toBe("EMAIL#1 EMAIL#2 EMAIL#1 CARD#1");
});

test("is linear in long runs of capitals", () => {
  const started = performance.now();
  expect(findTokens("A_".repeat(500_000))).toEqual([]);
  expect(findTokens(`${"A".repeat(500_000)}_abcd_qwertyuiopasdfgh`)).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(1000);
});

test("finds every planted token", () => {
  const piece = fc.oneof(
    fc.constant(ALICE),
    fc.constant(BOB),
    fc.string().filter((text) => !/[A-Z_]$/.test(text)),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const planted = pieces.filter((each) => each === ALICE || each === BOB);
      expect(findTokens(pieces.map((each) => ` ${each} `).join("")).map(({ token }) => token)).toEqual(planted);
    }),
    { numRuns: 200 },
  );
});
