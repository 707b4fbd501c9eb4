import { expect, test } from "vitest";
import { remoteReference } from "./remote-reference.ts";

const there = { address: "https://collector.example", run: "7f3a91c2" };

test.each([
  ["https://collector.example/7f3a91c2", there],
  ["https://collector.example/runs/7f3a91c2", there],
  ["https://collector.example/api/v1/runs/7f3a91c2/envelope", there],
  // the page of the run, as the address bar of a browser has it
  ["https://collector.example/r/7f3a91c2", there],
  ["https://collector.example/r/7f3a91c2?tab=raw&step=3", there],
  ["https://collector.example/tools/r/7F3A91C2#step", { address: "https://collector.example/tools", run: "7f3a91c2" }],
  ["s3://bucket/r/7f3a91c2", { address: "s3://bucket/r", run: "7f3a91c2" }],
])("%s names a run and its place", (reference, named) => {
  expect(remoteReference(reference, {})).toEqual(named);
});
