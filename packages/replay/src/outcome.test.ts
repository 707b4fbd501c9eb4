import { expect, test } from "vitest";
import { Ledger } from "./ledger.ts";
import { type Ending, exitCodeOf, outcomeOf, type ReplayReport } from "./outcome.ts";
import type { RootFacts, Tape, TapedStep } from "./tape.ts";

const ending: Ending = {
  run: null,
  missing: 0,
  exitCode: 0,
  stdout: { sha256: "a", bytes: 1 },
  output: null,
  durationMs: 1,
  stopped: null,
};

function tape(steps: TapedStep[], root: RootFacts = {}, more: Partial<Tape> = {}): Tape {
  const facts = { trigger: "process", process: { exitCode: 0 }, stdout: { sha256: "a", bytes: 1 }, ...root };
  const made = {
    runId: "0".repeat(32),
    steps: new Map(steps.map((s) => [s.index, s])),
    places: new Map(),
    ordered: steps,
    journal: [],
    root: facts,
  };
  return { ...made, status: "ok", complete: true, incompleteReasons: [], composite: new Set(), ...more };
}

function step(index: number): TapedStep {
  const record = {
    path: "",
    op: "openai.chat",
    n: index,
    attempt: 0,
    under: null,
    order: { start: index },
  } as unknown as TapedStep["record"];
  return { index, record, kind: "LLM", name: "chat", input: null, output: null, spanId: "" };
}

function outcome(of: Tape, more: Partial<Ending> = {}, fill: (ledger: Ledger) => void = () => {}): ReplayReport {
  const ledger = new Ledger(of);
  fill(ledger);
  return outcomeOf(ledger, { ...ending, ...more });
}

const serveAll = (ledger: Ledger): void => ledger.tape.ordered.forEach((s) => ledger.served(s, "exact", null));

test("everything served, same output, same exit code: identical", () => {
  const report = outcome(tape([step(0), step(1)]), {}, serveAll);
  expect([report.verdict, report.recorded, exitCodeOf(report)]).toEqual(["identical", 2, 0]);
});

test("equal emptiness is no match: no steps at all, or none served", () => {
  for (const of of [tape([]), tape([step(0)])]) {
    const report = outcome(of);
    expect([report.verdict, report.divergence?.verdict, report.findings]).toEqual([
      "diverged",
      "no-substance",
      ["no-substance"],
    ]);
  }
});

test("another output or exit code is a divergence though every call was served", () => {
  expect(outcome(tape([step(0)]), { stdout: { sha256: "b", bytes: 1 } }, serveAll).divergence?.verdict).toBe(
    "output-changed",
  );
  expect(outcome(tape([step(0)]), { exitCode: 1 }, serveAll).divergence?.verdict).toBe("exit-code-changed");
});

test("a recording that was cut off is incomplete, also where all it holds was served", () => {
  const report = outcome(tape([step(0)], {}, { complete: false }), { exitCode: 1 }, serveAll);
  expect([report.verdict, exitCodeOf(report), report.findings]).toEqual(["incomplete", 11, ["truncated-recording"]]);
});

test("a call that came in place of one that never came: the other one is missing", () => {
  const report = outcome(tape([step(0), step(1), step(2)]), {}, (ledger) => {
    ledger.served(step(0), "exact", null);
    ledger.served(step(2), "equivalent", null, [1]);
    expect(ledger.divergence).toMatchObject({ step: 3, verdict: "reordered" });
    ledger.close(new Set(), () => false);
  });
  expect(report.divergence).toMatchObject({ step: 2, verdict: "missing" });
  expect(report.calls.map((c) => c.verdict)).toEqual(["exact", "missing", "equivalent"]);
});

test("a call that came before one that came later stays reordered", () => {
  const report = outcome(tape([step(0), step(1)]), {}, (ledger) => {
    ledger.served(step(1), "exact", null, [0]);
    ledger.served(step(0), "exact", null);
    ledger.close(new Set(), () => false);
  });
  expect(report.divergence).toMatchObject({ step: 2, verdict: "reordered" });
});
