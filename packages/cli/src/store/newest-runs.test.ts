import { utimesSync, writeFileSync } from "node:fs";
import { encodeSpan } from "@reenact/envelope";
import { writeEnvelope } from "@reenact/envelope/file";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listRuns, newestRuns, readRunFile, type RunFile, runPaths } from "./run-files.ts";
import { goldenSpans, idOf, runStore } from "./run-store.test.fixture.ts";

const store = runStore();

const START = 1_790_000_000;

/** A run that started so many seconds after another time, in a file that was written `later` seconds after that. */
function keep(n: number, started: number, later: number): void {
  const run = n.toString(16).padStart(32, "0");
  const startUnixNano = BigInt(START + started) * 1_000_000_000n;
  const changed = goldenSpans.map(({ scanned, span }) => ({
    ...scanned,
    span: encodeSpan({
      ...span,
      traceId: run,
      startUnixNano,
      endUnixNano: startUnixNano + 1n,
      attributes: { ...span.attributes, "reenact.run.id": run },
    }),
  }));
  const file = store.fileOf(run);
  writeFileSync(file, writeEnvelope({ spans: changed, run }).bytes);
  utimesSync(file, START + started + later, START + started + later);
}

test("runs come newest start first, however late their files were written", () => {
  const runs = fc.array(fc.tuple(fc.nat(500), fc.nat(1000)), { maxLength: 12 });
  fc.assert(
    fc.property(runs, (drawn) => {
      store.empty();
      drawn.forEach(([started, later], n) => keep(n, started, later));
      expect([...newestRuns(runPaths(store.folder), () => {})].map(idOf)).toEqual(
        listRuns(store.folder).runs.map(idOf),
      );
    }),
    { numRuns: 30 },
  );
});

test("old files are not read for the newest run", () => {
  for (let n = 0; n < 5; n++) keep(n, n * 1000, 5);
  // a file that cannot be read is told of when it is reached
  writeFileSync(store.fileOf("e".repeat(32)), "no run");
  utimesSync(store.fileOf("e".repeat(32)), START, START);
  const damaged: string[] = [];
  const runs = newestRuns(runPaths(store.folder), (path) => damaged.push(path));
  expect(idOf(runs.next().value as RunFile)).toBe("4".padStart(32, "0"));
  expect(damaged).toEqual([]);
  expect([...runs]).toHaveLength(4);
  expect(damaged).toHaveLength(1);
  expect(readRunFile(store.fileOf("4".padStart(32, "0"))).header.status).toBeDefined();
});
