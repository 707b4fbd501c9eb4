import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeSpan } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listRuns, newestRuns, readRunFile, type RunFile, runPaths } from "./run-files.ts";

const golden = join(import.meta.dirname, "../../../../test/fixtures/envelopes/v1-parallel-calls.reenact");
const { spans } = readEnvelope(readFileSync(golden));
let store: string;

beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), "newest-"));
  mkdirSync(join(store, "runs"));
});
afterEach(() => rmSync(store, { recursive: true, force: true }));

const START = 1_790_000_000;

/** A run that started so many seconds after another time, in a file that was written `later` seconds after that. */
function keep(n: number, started: number, later: number): void {
  const run = n.toString(16).padStart(32, "0");
  const startUnixNano = BigInt(START + started) * 1_000_000_000n;
  const changed = spans.map(({ scanned, span }) => ({
    ...scanned,
    span: encodeSpan({
      ...span,
      traceId: run,
      startUnixNano,
      endUnixNano: startUnixNano + 1n,
      attributes: { ...span.attributes, "reenact.run.id": run },
    }),
  }));
  const file = join(store, "runs", `${run}.reenact`);
  writeFileSync(file, writeEnvelope({ spans: changed, run }).bytes);
  utimesSync(file, START + started + later, START + started + later);
}

const idOf = ({ header }: RunFile): string => header.run;

test("runs come newest start first, however late their files were written", () => {
  const runs = fc.array(fc.tuple(fc.nat(500), fc.nat(1000)), { maxLength: 12 });
  fc.assert(
    fc.property(runs, (drawn) => {
      rmSync(join(store, "runs"), { recursive: true });
      mkdirSync(join(store, "runs"));
      drawn.forEach(([started, later], n) => keep(n, started, later));
      expect([...newestRuns(runPaths(store), () => {})].map(idOf)).toEqual(listRuns(store).runs.map(idOf));
    }),
    { numRuns: 30 },
  );
});

test("old files are not read for the newest run", () => {
  for (let n = 0; n < 5; n++) keep(n, n * 1000, 5);
  // a file that cannot be read is told of when it is reached
  writeFileSync(join(store, "runs", `${"e".repeat(32)}.reenact`), "no run");
  utimesSync(join(store, "runs", `${"e".repeat(32)}.reenact`), START, START);
  const damaged: string[] = [];
  const runs = newestRuns(runPaths(store), (path) => damaged.push(path));
  expect(idOf(runs.next().value as RunFile)).toBe("4".padStart(32, "0"));
  expect(damaged).toEqual([]);
  expect([...runs]).toHaveLength(4);
  expect(damaged).toHaveLength(1);
  expect(readRunFile(join(store, "runs", `${"4".padStart(32, "0")}.reenact`)).header.status).toBeDefined();
});
