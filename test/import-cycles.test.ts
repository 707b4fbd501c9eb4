import { expect, test } from "vitest";
import { cyclesOf, importGraph, sourceFiles } from "./import-graph.ts";

test("no files import each other in a cycle, types included", () => {
  expect(cyclesOf(importGraph(sourceFiles()))).toEqual([]);
});

test("a cycle is found, and a chain is none", () => {
  const graph = { a: ["b"], b: ["c"], c: ["b", "d"], d: [], e: ["e"] };
  expect(cyclesOf(new Map(Object.entries(graph)))).toEqual([["b", "c"], ["e"]]);
});
