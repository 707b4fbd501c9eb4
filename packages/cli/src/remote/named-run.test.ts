import { expect, test } from "vitest";
import { namedRun } from "./named-run.ts";

const id = "7f3a91c2d4e5f60718293a4b5c6d7e8f";
const store = "/nowhere/store";

test.each([
  ["@last", {}, "7f3a91 --store /nowhere/store"],
  ["7f3a91c2", {}, "7f3a91c2 --store /nowhere/store"],
  [
    "@failed",
    { server: "https://collector.example" },
    "7f3a91 --store /nowhere/store --server https://collector.example",
  ],
  // digits alone would be looked for here
  ["s3://runs/prod/7f3a91", {}, "s3://runs/prod/7f3a91 --store /nowhere/store"],
  ["a folder/failed.reenact", {}, "'a folder/failed.reenact' --store /nowhere/store"],
])("%s is named again with all that finds it", (reference, options, named) => {
  expect(namedRun(id, reference, { store, ...options })).toBe(named);
});
