import { expect, test } from "vitest";
import { createScrubber } from "@reenact/redaction";
import { scale } from "../scale.ts";
// the same sets as the script that prints the table
import { measure } from "./measure.mjs";

test("accuracy holds its floors, on values drawn anew", () => {
  const seed = Number(process.env["TEST_SEED"] ?? Math.floor(Math.random() * 1_000_000));
  const size = { values: scale(150, 1000, 5000), identifiers: scale(100, 1000, 20_000), seed };
  const { rows, failed } = measure(createScrubber({ key: Buffer.alloc(32, 7) }), size);
  expect(failed, rows.join("\n")).toEqual([]);
});
