import { beforeEach, expect, test } from "vitest";
import type { Catalog } from "../catalog/catalog.ts";
import { createMemoryCatalog } from "../catalog/memory-catalog.test.fixture.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { sampleRow } from "../catalog/sample-row.test.fixture.ts";
import { errorGroups } from "./error-groups.ts";
import type { OpenRuns } from "./unpacked-runs.ts";

const OLD = "a".repeat(16);
const NEW = "b".repeat(16);
let catalog: Catalog;
let open: OpenRuns;

const failed = (digit: string, fingerprint: string, given: Partial<RunRow>) =>
  sampleRow({
    run: digit.repeat(32),
    status: "failed",
    error: { class: "TimeoutError", message: `${fingerprint[0]} at ${given.started}`, fingerprint },
    ...given,
  });

beforeEach(async () => {
  catalog = createMemoryCatalog();
  const packed = [
    failed("1", OLD, { started: 10, version: "1.0", name: "desk" }),
    sampleRow({ run: "2".repeat(32), started: 20, version: "1.1" }),
    failed("3", OLD, { started: 30, version: "1.1", name: "desk" }),
    failed("4", NEW, { started: 40, version: "1.1", name: "planner" }),
  ];
  await catalog.apply({ upsert: packed.map((row) => ({ row, text: "" })) });
  // a file of a local folder, and one that has been packed since
  const unpacked = [failed("5", NEW, { started: 50, version: "1.2", name: "planner", parts: [] }), packed[3]!];
  open = {
    rows: async () => unpacked,
    spans: async () => null,
    lines: async () => null,
    envelope: async () => null,
    texts: async (_tenant, runs) => runs.map(() => ""),
  };
});

const groups = (query: { filter?: string; limit?: number; since?: string } = {}) =>
  errorGroups({ catalog, open, now: () => 100 }, "default", { filter: "", limit: 50, ...query });

test("runs in packs and others are one group, the newest group first, with what the newest run says", async () => {
  const { errors, versions, exact } = await groups();
  expect(exact).toBe(true);
  expect(errors).toEqual([
    {
      fingerprint: NEW,
      class: "TimeoutError",
      message: "b at 50",
      newest: "5".repeat(32),
      runs: 2,
      first: 40,
      last: 50,
      agents: [{ value: "planner", runs: 2 }],
      versions: [
        { value: "1.1", runs: 1 },
        { value: "1.2", runs: 1 },
      ],
      isNew: null,
    },
    expect.objectContaining({ fingerprint: OLD, message: "a at 30", runs: 2, first: 10, last: 30 }),
  ]);
  expect(versions).toEqual([
    { version: "1.2", first: 50 },
    { version: "1.1", first: 20 },
    { version: "1.0", first: 10 },
  ]);
});

test("new since a version is what no run before its first one had, whatever the filter leaves out", async () => {
  const isNew = async (query: Parameters<typeof groups>[0]) =>
    (await groups(query)).errors.map(({ fingerprint, isNew: word }) => [fingerprint[0], word]);
  expect(await isNew({ since: "1.1" })).toEqual([
    ["b", true],
    ["a", false],
  ]);
  expect(await isNew({ since: "1.2" })).toEqual([
    ["b", false],
    ["a", false],
  ]);
  expect(await isNew({ since: "1.1", filter: "version:1.1" })).toEqual([
    ["b", true],
    ["a", false],
  ]);
  // a version that there is not says nothing of any
  expect(await groups({ since: "9" })).toMatchObject({ since: null, errors: [{ isNew: null }, { isNew: null }] });
  expect((await groups({ filter: "agent:desk" })).errors.map(({ runs }) => runs)).toEqual([2]);
  expect((await groups({ limit: 1 })).errors).toHaveLength(1);
});
