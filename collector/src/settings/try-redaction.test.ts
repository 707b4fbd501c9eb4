import { expect, test } from "vitest";
import { tryRedaction } from "./try-redaction.ts";

const MAIL = "ann.lee@shop.example";

test("each value that would be replaced, with its rule and the reason, and a key of its own for each text", async () => {
  const given = JSON.stringify({ note: `write to ${MAIL}`, api_key: "hunter2-x9-Zebra4" });
  const first = await tryRedaction(given, "application/json", undefined);
  expect(first.hits.map(({ type, at }) => [type, at])).toEqual([
    ["EMAIL", "/note"],
    [expect.any(String), "/api_key"],
  ]);
  for (const { start, end, why, rule } of first.hits) {
    expect(["hunter2-x9-Zebra4", MAIL]).toContain(given.slice(start, end));
    expect(why).not.toBe("");
    expect(rule).not.toBe("");
  }
  expect(first.text).not.toMatch(/ann\.lee|hunter2/);
  // a token that came twice would tell which value a recorded one stands for
  const second = await tryRedaction(given, "application/json", undefined);
  expect(second.text).not.toBe(first.text);
});

test("the policy of a project is the one that is tried", async () => {
  const { hits } = await tryRedaction(`write to ${MAIL}`, "text/plain", { off: ["EMAIL"] });
  expect(hits).toEqual([]);
});
