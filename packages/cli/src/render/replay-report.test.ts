import type { ReplayReport } from "@reenact/replay";
import { expect, test } from "vitest";
import { printReport } from "./replay-report.ts";

const report: ReplayReport = {
  schemaVersion: 1,
  run: null,
  parent: "7f3a91c05b2e4d6f8a9b0c1d2e3f4a5b",
  verdict: "identical",
  steps: 2,
  recorded: 2,
  live: 0,
  edited: 0,
  refused: 0,
  missing: 0,
  leaks: 0,
  byPlace: 0,
  sockets: 0,
  socketsRefused: 0,
  costUsd: 0,
  findings: [],
  changedTools: [],
  calls: [],
  runs: [],
  divergence: null,
  notes: [],
  refusals: [],
  exitCode: { recorded: 0, now: 0 },
  durationMs: 10,
  stopped: null,
};
const nowhere = { of: null, pointer: null, others: [] };
const context = {
  command: ["sh", "-c", "node a.js; node b.js"],
  reference: "7f3a91",
  place: " --store '/tmp/my runs'",
  ids: [],
  recordedMs: null,
  scratch: null,
};
const next = (more: Partial<ReplayReport>) =>
  /next: (.*)\n$/.exec(printReport({ ...report, ...more }, context, (_, text) => text))?.[1];

test("the next command is in the same store, and can be pasted", () => {
  expect(next({})).toBe("reenact show 7f3a91 --store '/tmp/my runs'");
  expect(next({ changedTools: ["look up", "pay"] })).toMatch(
    /: reenact replay 7f3a91 --store '\/tmp\/my runs' --run-tool 'look up' --run-tool pay -- sh -c 'node a\.js; node b\.js'$/,
  );
  expect(next({ stopped: { reason: "unrecorded-tools", message: "" } })).toBe(
    "reenact replay 7f3a91 --store '/tmp/my runs' --allow-unrecorded-tools -- sh -c 'node a.js; node b.js'",
  );
  const divergence = { ...nowhere, step: 2, slot: "x", verdict: "missing", cause: "", recorded: null, now: null };
  expect(next({ divergence: { ...divergence, next: "reenact show 7f3a91 --step 2" } })).toBe(
    "reenact show 7f3a91 --store '/tmp/my runs' --step 2",
  );
});

test("what was refused outside every tool comes with what to do about it", () => {
  const refusal = { kind: "worker", target: "square.js", stack: "", tool: null, place: null, count: 1, after: 0 };
  const told = (tool: string | null): string =>
    printReport({ ...report, refusals: [{ ...refusal, tool }] }, context, (_, text) => text);
  expect(told(null)).toContain('it is in no record: wrap what uses it in tool("name", fn)');
  expect(told("square")).not.toContain("wrap");
});

test("of an output that differs the sizes are told, since nobody can read a hash", () => {
  const differs = { ...nowhere, step: null, slot: null, verdict: "output-changed", cause: "", next: "" };
  const told = (bytes: number): string => {
    const divergence = { ...differs, recorded: { sha256: "a1", bytes: 1 }, now: { sha256: "b2", bytes } };
    return printReport({ ...report, verdict: "diverged", divergence }, context, (_, text) => text);
  };
  expect(told(20)).toContain("  recorded: 1 byte\n  now:      20 bytes\n");
  expect(told(1)).toContain("  recorded: 1 byte\n  now:      1 byte, and not the same\n");
});

test("equal refusals are one line, with their number and the first place", () => {
  const refusal = {
    kind: "socket",
    target: "127.0.0.1:5432",
    stack: "",
    tool: null,
    place: "/app/db.js:10:3",
    after: 0,
  };
  const told = (count: number): string =>
    printReport({ ...report, refusals: [{ ...refusal, count }] }, context, (_, text) => text);
  expect(told(14)).toContain("refused: socket 127.0.0.1:5432, 14 times, first at /app/db.js:10:3\n");
  expect(told(1)).toContain("refused: socket 127.0.0.1:5432, at /app/db.js:10:3\n");
});

test("the id in the next command is as long as it must be to name one run of the store", () => {
  const ids = [report.parent, "7f3a91c1000000000000000000000000"];
  const told = printReport(report, { ...context, ids }, (_, text) => text);
  expect(told).toContain("next: reenact show 7f3a91c0 --store");
});

test("a cause names a run of the report as the next command does, and leaves other digits as they are", () => {
  const other = "00112233445566778899aabbccddeeff";
  const cause = `agent "desk" (run ${report.parent}) sent ${other}`;
  const differs = { ...nowhere, step: null, slot: null, verdict: "missing", recorded: null, now: null };
  const divergence = { ...differs, cause, next: `reenact show ${report.parent}` };
  const told = printReport({ ...report, divergence }, context, (_, text) => text);
  expect(told).toContain(`  cause: agent "desk" (run 7f3a91) sent ${other}\n`);
  expect(told).toContain("  next: reenact show 7f3a91 --store");
});
