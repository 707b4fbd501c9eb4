import { expect, test } from "vitest";
import { Ledger } from "./ledger.ts";
import { type Ending, exitCodeOf, outcomeOf } from "./outcome.ts";
import type { ReplayReport } from "./replay-report.ts";
import type { RootFacts, Tape, RecordedStep } from "../tape/tape.ts";

const effects = (text: string): Ending["effects"] => ({
  now: { stdout: { sha256: text, bytes: 1, lines: [text] }, stderr: null, files: null, databases: null },
  translate: (token) => token,
  isNotCompared: () => false,
  metadata: null,
  isSameValue: (recorded, now) => recorded === now,
});
const OTHER = effects("b");

const ending: Ending = {
  run: null,
  missing: 0,
  exitCode: 0,
  effects: effects("a"),
  output: null,
  durationMs: 1,
  stopped: null,
};

function tape(steps: RecordedStep[], root: RootFacts = {}, more: Partial<Tape> = {}): Tape {
  const facts = {
    trigger: "process",
    process: { exitCode: 0 },
    stdout: { sha256: "a", bytes: 1, lines: ["a"] },
    ...root,
  };
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

function step(index: number): RecordedStep {
  const record = {
    path: "",
    op: "openai.chat",
    n: index,
    attempt: 0,
    under: null,
    order: { start: index },
  } as unknown as RecordedStep["record"];
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

test("a call that is missing where an effect was refused says so", () => {
  const report = outcome(tape([step(0), step(1)]), { missing: 1, exitCode: 1 }, (ledger) => {
    ledger.served(step(0), "exact", null);
    ledger.refused.push({ kind: "worker", target: "work.mjs", stack: "", tool: null, place: null, count: 1, after: 0 });
    ledger.close(new Set(), () => false);
  });
  expect(report.divergence?.cause).toBe(
    "the recorded run called openai.chat here; this run never did (worker work.mjs was refused)",
  );
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
  expect(outcome(tape([step(0)]), { effects: OTHER }, serveAll).divergence?.verdict).toBe("output-changed");
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

test("behind served tools a divergence that memory can explain says whose bodies did not run", () => {
  const tool = (index: number, name: string): RecordedStep => {
    const { record, ...rest } = step(index);
    return { ...rest, record: { ...record, op: `tool:${name}` }, kind: "TOOL", name };
  };
  const steps = [tool(0, "save"), step(1), tool(2, "save"), tool(3, "team"), step(4), tool(5, "late")];
  const of = tape(steps, {}, { composite: new Set([3]) });
  const differs = (ledger: Ledger): void => {
    for (const s of steps) ledger.served(s, s.index === 4 ? "history" : "exact", null);
  };
  const says = "served, so their bodies did not run: save. If the agent reads what one of them keeps in memory";
  expect(outcome(of, {}, differs).notes).toEqual([expect.stringContaining(`${says}, let it run: --run-tool save`)]);
  expect(outcome(of, { effects: OTHER }, serveAll).notes[0]).toContain("run: save, late.");
  expect(outcome(of, {}, serveAll).notes).toEqual([]);
  expect(outcome(of, {}, (ledger) => ledger.served(step(4), "system", null)).notes).toEqual([]);
  // a text that says something new is no text that misses something
  const changed = (now: string) => (ledger: Ledger) => {
    const difference = { pointer: "/messages/0/content", recorded: "saved: tea, milk.", now };
    for (const s of steps) ledger.served(s, s.index === 4 ? "changed" : "exact", s.index === 4 ? difference : null);
  };
  expect(outcome(of, {}, changed("kept: tea, milk.")).notes).toEqual([]);
  expect(outcome(of, {}, changed("saved: milk.")).notes).toEqual([expect.stringContaining(says)]);
  const ran = (ledger: Ledger): void => {
    differs(ledger);
    ledger.edited++;
  };
  expect(outcome(of, {}, ran).notes).toEqual([]);
});

test("a refusal is the cause of another output or exit code: nothing had diverged before it", () => {
  const report = outcome(tape([step(0)]), { effects: OTHER, exitCode: 1 }, (ledger) => {
    serveAll(ledger);
    ledger.refused.push({ kind: "socket", target: "h:443", stack: "", tool: null, place: null, count: 1, after: 0 });
  });
  expect(report.divergence).toMatchObject({ verdict: "leak", now: "socket h:443" });
  expect(report.divergence?.cause).toContain("refused: socket h:443 (gRPC and plain sockets are not replayed)");
  expect(report.findings).toEqual(["output-changed", "exit-code-changed", "leak"]);
});

test("a program that ended by an error before a recorded step: that comes first", () => {
  const report = outcome(
    tape([step(0), step(1)]),
    { exitCode: 1 },
    (ledger) => void ledger.close(new Set(), () => false),
  );
  expect(report.divergence).toMatchObject({
    step: 1,
    verdict: "missing",
    cause:
      "the program ended with exit code 1 (recorded: 0) before it: the recorded run called openai.chat here; this run never did",
  });
  const unknown = tape([step(0)], { process: {} as never });
  expect(
    outcome(unknown, { exitCode: 1 }, (ledger) => void ledger.close(new Set(), () => false)).divergence?.cause,
  ).toMatch(/^the recorded run called/);
  // it has gone on behind the step that is missing
  const later = outcome(tape([step(0), step(1)]), { exitCode: 1 }, (ledger) => {
    ledger.served(step(1), "exact", null);
    ledger.close(new Set(), () => false);
  });
  expect(later.divergence?.cause).toMatch(/^the recorded run called/);
});
