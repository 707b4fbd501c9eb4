import { expect, test } from "vitest";
import type { ReplayReport } from "./replay-report.ts";
import { withRunsAtOnce } from "./runs-at-once.ts";

const run = (runId: string, started: number, seconds?: number, trigger: "function" | "process" = "function") => ({
  runId,
  started,
  ...(seconds !== undefined && { seconds }),
  root: { trigger },
});
const report = (verdict: string | null, own?: string): ReplayReport =>
  ({
    parent: "a",
    notes: ["before"],
    divergence: verdict === null ? null : { verdict, ...(own !== undefined && { run: own }) },
  }) as unknown as ReplayReport;
const notesOf = (...args: Parameters<typeof withRunsAtOnce>): string[] => withRunsAtOnce(...args).notes.slice(1);

const a = run("a", 1000, 2);

test("says how many runs went on beside one whose order differs", () => {
  const runs = [a, run("b", 2999, 1), run("c", 0, 1.001), run("before", 0, 1), run("behind", 3000, 1)];
  expect(notesOf(report("reordered"), runs)).toEqual([
    expect.stringMatching(/^2 other runs of the process went on when/),
  ]);
  expect(notesOf(report("draw"), [a, run("b", 500, 1)])).toEqual([
    expect.stringMatching(/^another run of the process/),
  ]);
  // one that was killed has no end
  expect(notesOf(report("order"), [a, run("killed", 10)])).toHaveLength(1);
});

test("of the run that differs, which may be another than the replayed one", () => {
  const runs = [a, run("b", 5000, 1), run("c", 5500, 1)];
  expect(notesOf(report("reordered"), runs)).toEqual([]);
  expect(notesOf(report("reordered", "b"), runs)).toHaveLength(1);
});

test("says nothing of other differences, of runs one after another, and of the process around its runs", () => {
  expect(notesOf(report("changed"), [a, run("b", 1000, 1)])).toEqual([]);
  expect(notesOf(report(null), [a, run("b", 1000, 1)])).toEqual([]);
  expect(notesOf(report("reordered"), [a, run("b", 5000, 1)])).toEqual([]);
  expect(notesOf(report("reordered"), [a, run("p", 0, 100, "process")])).toEqual([]);
});
