import { expect, test } from "vitest";
import { prunedRuns, type PruneRule } from "./pruned-runs.ts";
import type { RunFile } from "./run-files.ts";

const NOW = Date.UTC(2026, 0, 31);
const DAY = 86_400_000;

interface Given {
  readonly age?: number;
  readonly status?: string;
  readonly flags?: string[];
  readonly class?: string;
  readonly replay?: boolean;
  readonly resumed?: boolean;
  readonly instance?: string;
}

/** Runs by their names, newest first. */
function pruned(runs: Record<string, Given>, rule: PruneRule): string[] {
  const files = Object.entries(runs).map(([name, given]) => ({
    path: name,
    header: { run: name, status: given.status ?? "ok", class: given.class ?? "short" },
    manifest: {
      started: String(BigInt(NOW - (given.age ?? 0) * DAY) * 1_000_000n),
      flags: given.flags ?? [],
      ...(given.replay === true ? { replay: { of: "x" } } : {}),
      ...(given.resumed === true ? { replay: { of: "x", mode: "resume", continued: {} } } : {}),
      ...(given.instance === undefined ? {} : { instance: given.instance }),
    },
  }));
  return prunedRuns(files as unknown as RunFile[], rule, NOW).map(({ path }) => path);
}

test("old runs go, and those that failed, were flagged or are kept stay", () => {
  const runs: Record<string, Given> = {
    new: { age: 1 },
    old: { age: 40 },
    failed: { age: 40, status: "failed" },
    flagged: { age: 40, flags: ["wrong row"] },
    kept: { age: 40, class: "keep" },
  };
  expect(pruned(runs, { olderThan: 30 * DAY })).toEqual(["old"]);
  expect(pruned(runs, { olderThan: 30 * DAY, all: true })).toEqual(["old", "failed", "flagged", "kept"]);
});

test("the newest runs stay whatever their age; replays do not count", () => {
  const runs: Record<string, Given> = { replay: { replay: true, age: 1 }, a: { age: 2 }, b: { age: 3 }, c: { age: 4 } };
  expect(pruned(runs, { keepLast: 2 })).toEqual(["replay", "c"]);
  expect(pruned(runs, { keepLast: 1, olderThan: 3.5 * DAY })).toEqual(["c"]);
});

test("replays alone, those of failed runs too", () => {
  const runs: Record<string, Given> = { r: { replay: true, status: "failed", class: "keep" }, a: { age: 90 } };
  expect(pruned(runs, { replays: true })).toEqual(["r"]);
  expect(pruned(runs, { replays: true, olderThan: DAY })).toEqual([]);
});

test("runs of one process stay together", () => {
  const runs: Record<string, Given> = {
    failed: { age: 40, status: "failed", instance: "p" },
    beside: { age: 40, instance: "p" },
    other: { age: 40, instance: "q" },
  };
  expect(pruned(runs, { olderThan: 30 * DAY })).toEqual(["other"]);
});

test("a run in which a suspended one went on is no replay", () => {
  const runs: Record<string, Given> = {
    on: { resumed: true, status: "suspended", class: "keep", age: 90 },
    r: { replay: true },
  };
  expect(pruned(runs, { replays: true })).toEqual(["r"]);
  expect(pruned(runs, { olderThan: DAY })).toEqual([]);
  expect(pruned({ on: { resumed: true, age: 90 } }, { olderThan: DAY })).toEqual(["on"]);
});
