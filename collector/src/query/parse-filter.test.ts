import fc from "fast-check";
import { expect, test } from "vitest";
import { CatalogError } from "../catalog/catalog-error.ts";
import { matches } from "../catalog/matches.ts";
import { sampleRow } from "../catalog/sample-row.test.fixture.ts";
import { parseFilter } from "./parse-filter.ts";

const now = Date.parse("2026-11-22T10:00:00Z");
const row = sampleRow({
  name: "refunds",
  status: "failed",
  tools: ["refund", "search_orders"],
  models: ["gpt-4o-2024-11-20"],
  user: "EMAIL_abcd_kqzjwhtrmxbvnpds",
  tags: ['say "hi"'],
  started: now - 3_600_000,
  durationMs: 2500,
  cost: 0.61,
  complete: false,
});
const text = "delete the wrong row of the database";

test.each([
  ["", true],
  ['status:failed tool:refund cost>0.5 "wrong row"', true],
  ["wrong database", true],
  ['"wrong database"', false],
  ["agent:refunds", true],
  ["agent:refund", false],
  ["agent:refund*", true],
  ["model:gpt-4o*", true],
  ["user:*", true],
  ["session:*", false],
  ["cost:*", true],
  ["ended:*", true],
  ["not duration:*", false],
  ["user:EMAIL_abcd_kqzjwhtrmxbvnpds", true],
  ["status:ok,failed", true],
  ["status!=ok", true],
  ["status!=ok,failed", false],
  ["-status:failed", false],
  ["not (status:ok or tool:refund)", false],
  ["status:ok or tool:refund", true],
  ["status:ok or tool:refund and agent:x", false],
  ["(status:ok or tool:refund) and agent:refunds", true],
  ["duration>2s duration<=2500ms", true],
  ["started>-2h", true],
  ["started>-30m", false],
  ["started>=2026-11-22T09:00:00Z started<2026-11-22T10:00:00Z", true],
  ["complete:no", true],
  ['tag:"say \\"hi\\""', true],
  ["TOOL:refund STATUS:failed", true],
  ["cost=0.61", true],
])("%s fits: %s", (expression, fits) => {
  expect(matches(parseFilter(expression, now), row, text)).toBe(fits);
});

test.each([
  ["colour:red", "there is no field colour (character 1"],
  ["status:ok (", "a term is missing (character 12"],
  ["(status:ok", "a bracket is not closed (character 1"],
  ["status:ok)", "a bracket was never opened (character 10"],
  ['"open', "a quote is not closed"],
  ["status:", "a value is missing"],
  ["status>ok", "which > cannot compare"],
  ["cost>much", "much is no number"],
  ["duration>long", "long is no duration"],
  ["started>yesterday", "yesterday is no time"],
  ["complete:maybe", "complete is yes or no"],
  ["!!!", "there is no word to search for"],
  ["or", "a term is missing"],
  ["constructor:x", "there is no field constructor"],
  ["(".repeat(50) + "x" + ")".repeat(50), "nested too deep"],
])("%s is refused", (expression, why) => {
  expect(() => parseFilter(expression, now)).toThrow(why);
});

test("a filter of thousands of terms is refused", () => {
  expect(() => parseFilter(`${"-".repeat(5000)}x`, now)).toThrow("too long");
});

test("any text is a filter or is refused by name", () => {
  const piece = fc.constantFrom(
    "status:",
    "ok",
    "(",
    ")",
    "-",
    '"',
    "\\",
    "or",
    "and",
    "not",
    ",",
    " ",
    "cost>",
    "1",
    "*",
    "é",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((parts) => parts.join("")),
      ),
      (expression) => {
        try {
          matches(parseFilter(expression, now), row, text);
        } catch (error) {
          expect(error).toBeInstanceOf(CatalogError);
          expect(error).toMatchObject({ code: "BAD_FILTER" });
        }
      },
    ),
    { numRuns: 500 },
  );
});
