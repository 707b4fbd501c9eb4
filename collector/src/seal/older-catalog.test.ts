import { dirname } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import type { LogFields } from "../log.ts";
import { newMarkId } from "../retain/mark.ts";
import { openWorkbench, type Workbench } from "./workbench.test.fixture.ts";

let bench: Workbench;
afterEach(() => bench.close());

const HOUR = 3_600_000;

test("a catalog that is older than the store gets the rows that it lacks before late spans come, so that a run has one history", async () => {
  const lines: { event: string; fields: LogFields }[] = [];
  bench = await openWorkbench({ log: (_, event, fields = {}) => lines.push({ event, fields }) });
  const { run, steps, root } = sampleRun(1);
  const [late, ...others] = steps;
  const named = { tenant: "acme", run };
  await bench.send([...others, root]);
  await bench.pass(600_000);
  const before = (await bench.envelope(run))!.spans.length;
  // as a dump has it that was made before the run was sealed
  const alive = await bench.catalog.cursor("catalog:alive");
  expect(Number(alive)).toBeGreaterThan(0);
  await bench.catalog.apply({ remove: [named] });
  bench.time += HOUR;
  await bench.crash();
  await bench.send([late!]);
  await bench.pass(600_000);
  const after = (await bench.envelope(run))!;
  expect([after.header.revision, after.spans.length]).toEqual([1, before + 1]);
  expect(lines.filter(({ event }) => event === "catalog.older-than-store").map(({ fields }) => fields)).toMatchObject([
    { packs: 1, runs: 1 },
  ]);

  // nothing is looked for where the catalog was in use a moment ago, and nothing is said where it lacks nothing
  await bench.crash();
  bench.time += HOUR;
  await bench.crash();
  expect(lines.filter(({ event }) => event === "catalog.older-than-store")).toHaveLength(1);
});

test("a process that looks for missing rows does not take back a mark that another one gives the run meanwhile", async () => {
  bench = await openWorkbench();
  const { run, steps, root } = sampleRun(1);
  await bench.send([...steps, root]);
  await bench.pass(600_000);
  const row = (await bench.catalog.get("acme", run))!;
  await bench.catalog.apply({ remove: [{ tenant: "acme", run }], cursors: { "catalog:alive": "1" } });
  let isFirst = true;
  const other = await openWorkbench({
    store: bench.store,
    catalogFolder: dirname(bench.journalFolder),
    async point(name) {
      if (name !== "before catalog.apply" || !isFirst) return;
      isFirst = false;
      // the first process had put the row already, and now its run is flagged
      await bench.catalog.apply({ upsert: [{ row }] });
      const flag = { id: newMarkId(), kind: "flag", name: "ticket", at: bench.time } as const;
      await bench.sealing.keeper.mark("acme", run, [flag]);
    },
  });
  await other.close();
  expect(await bench.catalog.get("acme", run)).toMatchObject({ class: "keep", flags: ["ticket"] });
});
