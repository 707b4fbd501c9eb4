import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Catalog, CatalogAddress } from "./catalog.ts";
import { openCatalog, openCatalogReader } from "./open-catalog.ts";
import { TEST_DATABASE, testCatalog } from "./test-catalog.test.fixture.ts";
import { createMemoryCatalog } from "./memory-catalog.test.fixture.ts";
import { openSqliteCatalog } from "./drivers/sqlite.ts";
import {
  EVERYTHING,
  type Filter,
  LIST_FIELDS,
  type ListField,
  NUMBER_FIELDS,
  TEXT_FIELDS,
  type TextField,
} from "./filter.ts";
import { byOrder, RUN_ORDERS } from "./page-cursor.ts";
import type { RunRow } from "./run-row.ts";
import { sampleRow } from "./sample-row.test.fixture.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "catalog-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function readBeside(address: CatalogAddress): Promise<Catalog> {
  const catalog = await openCatalog(address);
  const reader = openCatalogReader(address);
  const close = async () => {
    await reader.close();
    await catalog.close();
  };
  return { ...catalog, ...reader, close };
}
const drivers: Record<string, () => Promise<Catalog>> = {
  memory: () => Promise.resolve(createMemoryCatalog()),
  sqlite: () => openSqliteCatalog({ file: join(folder, "catalog.sqlite") }),
  "sqlite, read beside": () => readBeside({ driver: "sqlite", file: join(folder, "catalog.sqlite") }),
};
if (TEST_DATABASE !== undefined) {
  const address = () => testCatalog(join(folder, "catalog.sqlite"));
  drivers["postgres"] = () => openCatalog(address());
  drivers["postgres, read beside"] = () => readBeside(address());
}
const id = (digit: number) => digit.toString(16).padStart(32, "0");
const one = (field: TextField | ListField, ...values: string[]): Filter => ({ is: "one-of", field, values });

describe.each(Object.entries(drivers))("%s", (_name, open) => {
  let catalog: Catalog;
  beforeEach(async () => (catalog = await open()));
  afterEach(() => catalog.close());

  test("gives back the row that was put, and nothing of another tenant", async () => {
    const row = sampleRow({
      user: "EMAIL_abcd_kqzjwhtrmxbvnpds",
      error: { class: "E", message: "\0 no \ud800", fingerprint: "f" },
    });
    await catalog.apply({ upsert: [{ row, text: "" }] });
    expect(await catalog.get("default", row.run)).toEqual(row);
    expect(await catalog.get("other", row.run)).toBeNull();
    expect((await catalog.find({ tenant: "other", filter: EVERYTHING }, { limit: 10 })).rows).toEqual([]);
  });

  test("lists in every order page by page, each run once, what is not known last", async () => {
    const rows = Array.from({ length: 23 }, (_, n) =>
      sampleRow({
        run: id(n),
        started: n % 5,
        durationMs: n % 7 === 0 ? null : n % 4,
        cost: n % 3 === 0 ? null : n / 10,
        tokens: n % 6,
        ...(n % 8 !== 0 && { errors: n % 3 }),
      }),
    );
    await catalog.apply({ upsert: rows.map((row) => ({ row, text: "" })) });
    for (const order of RUN_ORDERS) {
      const found: RunRow[] = [];
      for (let after: string | null = null; ;) {
        const page = await catalog.find({ filter: EVERYTHING }, { limit: 4, order, after });
        found.push(...page.rows);
        if (page.next === null) break;
        after = page.next;
        const other = order === "cost" ? "tokens" : "cost";
        const wrong = catalog.find({ filter: EVERYTHING }, { limit: 4, order: other, after });
        await expect(wrong).rejects.toMatchObject({ code: "BAD_CURSOR" });
      }
      expect(found, order).toEqual(rows.toSorted(byOrder(order)));
    }
  });

  test("adds up runs by a field and over time, with percentiles by nearest rank", async () => {
    const row = (n: number, change: Partial<RunRow>) => ({ row: sampleRow({ run: id(n), ...change }), text: "" });
    await catalog.apply({
      upsert: [
        ...Array.from({ length: 100 }, (_, n) =>
          row(n, { session: "s-1", started: 1000 + n, durationMs: n + 1, tokens: 2, cost: 0.5, name: "a" }),
        ),
        row(200, { session: "s-2", started: 2500, durationMs: null, ended: null, status: "failed", name: "b" }),
        row(201, { session: "s-2", started: 1500, status: "aborted", tokens: 0, durationMs: 7, name: "a" }),
        row(202, { session: "s-1", tenant: "other" }),
        row(203, { session: null, started: 5000 }),
      ],
    });
    const query = { tenant: "default", filter: EVERYTHING };
    expect(await catalog.sums(query, "session", 10)).toEqual([
      { value: "s-2", runs: 2, failed: 1, tokens: 10, cost: null, first: 1500, last: 2500 },
      { value: "s-1", runs: 100, failed: 0, tokens: 200, cost: 50, first: 1000, last: 1099 },
    ]);
    expect(await catalog.sums(query, "session", 1)).toHaveLength(1);
    expect(await catalog.sums({ ...query, filter: one("status", "ok") }, "session", 9)).toHaveLength(1);
    const over = { from: 1000, to: 3000, bucketMs: 1000, by: null };
    const quiet = { runs: 1, failed: 1, aborted: 0, tokens: 10, cost: null, p50: null, p95: null, p99: null };
    expect(await catalog.series(query, over)).toEqual({
      exact: true,
      points: [
        { at: 1000, group: null, runs: 101, failed: 0, aborted: 1, tokens: 200, cost: 50, p50: 50, p95: 95, p99: 99 },
        { at: 2000, group: null, ...quiet },
      ],
    });
    const { points } = await catalog.series(query, { ...over, bucketMs: 2000, by: "name" });
    expect(points.map(({ group, runs }) => [group, runs])).toEqual([
      ["a", 101],
      ["b", 1],
    ]);
  });

  test("a lower revision changes nothing; an equal or a higher one replaces row and lists, text only if given", async () => {
    await catalog.apply({ upsert: [{ row: sampleRow({ revision: 1, tags: ["old"] }), text: "refund the parrot" }] });
    await catalog.apply({ upsert: [{ row: sampleRow({ revision: 0, name: "late" }), text: "other words" }] });
    expect((await catalog.get("default", sampleRow().run))?.name).toBe("agent");
    await catalog.apply({ upsert: [{ row: sampleRow({ revision: 1, class: "keep", tags: ["new"] }) }] });
    const count = async (filter: Filter) => (await catalog.find({ filter }, { limit: 1 })).count.value;
    expect(await count(one("class", "keep"))).toBe(1);
    expect(await count(one("tag", "old"))).toBe(0);
    expect(await count(one("tag", "new"))).toBe(1);
    expect(await count({ is: "words", text: "the parrot" })).toBe(1);
    expect(await count({ is: "words", text: "other" })).toBe(0);
  });

  test("a removed run leaves nothing to be found", async () => {
    await catalog.apply({ upsert: [{ row: sampleRow({ tags: ["t"] }), text: "word" }] });
    await catalog.apply({ remove: [{ tenant: "default", run: sampleRow().run }] });
    for (const filter of [EVERYTHING, one("tag", "t"), { is: "words", text: "word" } as const])
      expect((await catalog.find({ filter }, { limit: 1 })).count.value).toBe(0);
  });

  test("pages give each row once, newest first, though rows with equal starts stand at the edge", async () => {
    const rows = Array.from({ length: 23 }, (_, n) => sampleRow({ run: id(n * 7), started: Math.floor(n / 5) }));
    await catalog.apply({ upsert: rows.map((row) => ({ row, text: "" })) });
    const seen: RunRow[] = [];
    let after: string | null = null;
    do {
      const page = await catalog.find({ filter: EVERYTHING }, { limit: 4, after });
      expect(page.count).toEqual({ value: 23, exact: true });
      seen.push(...page.rows);
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual(rows.toSorted((a, b) => b.started - a.started || (a.run < b.run ? -1 : 1)));
  });

  test("in order of change, a row comes once more each time it is put, and a reader goes on where it was", async () => {
    const put = (n: number, revision = 0) =>
      catalog.apply({ upsert: [{ row: sampleRow({ run: id(n), revision }), text: "" }] });
    const read = async (after: string | null) => {
      const { rows, next } = await catalog.find({ filter: EVERYTHING }, { limit: 2, after, order: "changed" });
      return { runs: rows.map(({ run }) => run), next };
    };
    expect(await read(null)).toEqual({ runs: [], next: null });
    for (const n of [3, 1, 2]) await put(n);
    const first = await read(null);
    expect(first.runs).toEqual([id(3), id(1)]);
    const second = await read(first.next);
    expect(second.runs).toEqual([id(2)]);
    expect(await read(second.next)).toEqual({ runs: [], next: second.next });
    await catalog.apply({ remove: [{ tenant: "default", run: id(2) }] });
    await put(3, 1);
    expect((await read(second.next)).runs).toEqual([id(3)]);
  });

  test("a run that began earlier than was known is one run, and found by its new start", async () => {
    const put = (revision: number, started: number) =>
      catalog.apply({
        upsert: [{ row: sampleRow({ revision, started }), ...(revision === 0 && { text: "a parrot" }) }],
      });
    await put(0, Date.UTC(2026, 1, 1));
    await put(1, Date.UTC(2026, 0, 31));
    const before = (value: number): Filter => ({ is: "number", field: "started", op: "<", value });
    const found = async (...of: Filter[]) => (await catalog.find({ filter: { is: "all", of } }, { limit: 5 })).rows;
    expect(await found(before(Date.UTC(2026, 1, 1)), { is: "words", text: "parrot" })).toHaveLength(1);
    expect(await found({ is: "not", of: before(Date.UTC(2026, 1, 1)) })).toEqual([]);
    expect(await found()).toEqual([sampleRow({ revision: 1, started: Date.UTC(2026, 0, 31) })]);
  });

  test("a phrase is found at the end of a long text, and a word of any length", async () => {
    const long = "Ω".repeat(3000);
    const text = `${"the cat, ".repeat(9_000)} the parrot sings ${long}s ${long}`;
    await catalog.apply({ upsert: [{ row: sampleRow(), text }] });
    const hits = async (phrase: string) =>
      (await catalog.find({ filter: { is: "words", text: phrase } }, { limit: 1 })).count.value;
    const found = await Promise.all(
      ["the parrot", "parrot the", "sings", long, `${long}s ${long}`, `${long}x`].map(hits),
    );
    expect(found).toEqual([1, 0, 1, 1, 1, 0]);
  });

  test("a cursor that is none is refused by name", async () => {
    await expect(catalog.find({ filter: EVERYTHING }, { limit: 1, after: "x" })).rejects.toMatchObject({
      code: "BAD_CURSOR",
    });
  });

  test("facets count runs, most frequent first, in what the filter leaves", async () => {
    const rows = [["a", "b"], ["b"], ["b", "b"], []].map((tools, n) =>
      sampleRow({ run: id(n), tools, status: n === 3 ? "failed" : "ok" }),
    );
    await catalog.apply({ upsert: rows.map((row) => ({ row, text: "" })) });
    expect(await catalog.facets({ filter: EVERYTHING }, ["tool", "status", "user"], 10)).toEqual({
      tool: [
        { value: "b", runs: 3 },
        { value: "a", runs: 1 },
      ],
      status: [
        { value: "ok", runs: 3 },
        { value: "failed", runs: 1 },
      ],
      user: [],
    });
    expect((await catalog.facets({ filter: one("tool", "a") }, ["tool"], 1)).tool).toEqual([{ value: "a", runs: 1 }]);
  });

  test("cursors are kept with the rows of their change", async () => {
    expect(await catalog.cursor("assembler")).toBeNull();
    await catalog.apply({ upsert: [{ row: sampleRow(), text: "" }], cursors: { assembler: "12" } });
    expect(await catalog.cursor("assembler")).toBe("12");
  });

  test("a lease has one holder until it ends", async () => {
    expect(await catalog.lease("sweep", "a", 10_000)).toBe(true);
    expect(await catalog.lease("sweep", "b", 10_000)).toBe(false);
    expect(await catalog.lease("sweep", "a", 0)).toBe(true);
    expect(await catalog.lease("sweep", "b", 10_000)).toBe(true);
  });

  test("changes of an owner are refused once another one has taken the next epoch, also among others of one transaction", async () => {
    const first = await catalog.fence("partition 3");
    expect(await catalog.fence("partition 4")).toBe(1);
    await catalog.apply({ fence: { name: "partition 3", epoch: first }, cursors: { a: "1" } });
    const second = await catalog.fence("partition 3");
    expect(second).toBeGreaterThan(first);
    const change = (epoch: number, value: string, row = sampleRow()) =>
      catalog.apply({ fence: { name: "partition 3", epoch }, upsert: [{ row, text: "" }], cursors: { a: value } });
    const late = sampleRow({ run: "c".repeat(32) });
    const [old, never, others, now] = await Promise.allSettled([
      change(first, "2", late),
      catalog.apply({ fence: { name: "no such", epoch: 1 }, cursors: { a: "3" } }),
      catalog.apply({ cursors: { b: "4" } }),
      change(second, "5"),
    ]);
    for (const refused of [old, never])
      expect(refused).toMatchObject({ status: "rejected", reason: { code: "FENCED" } });
    expect([others?.status, now?.status]).toEqual(["fulfilled", "fulfilled"]);
    expect([await catalog.cursor("a"), await catalog.cursor("b")]).toEqual(["5", "4"]);
    expect(await catalog.get(late.tenant, late.run)).toBeNull();
  });

  test("a revision that was just sealed takes the place of no other spans, also among others of one transaction", async () => {
    const part = (content: string, revision = 1) => ({
      revision,
      parts: [{ revision, content: content.repeat(64), key: `pack ${content}`, offset: 0, length: 1 }],
    });
    const put = (content: string, revision?: number) =>
      catalog.apply({
        upsert: [{ row: sampleRow(part(content, revision)), text: "", isNew: true }],
        cursors: { [content]: "done" },
      });
    const outcomes = await Promise.allSettled([put("a"), put("b"), put("a"), put("c", 0)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "CONFLICT" } });
    await expect(put("b")).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await catalog.get("default", sampleRow().run)).toMatchObject(part("a"));
    expect([await catalog.cursor("a"), await catalog.cursor("b")]).toEqual(["done", null]);
    await put("b", 2);
    // what moves a run to another pack says nothing of its spans
    await catalog.apply({ upsert: [{ row: sampleRow({ ...part("a"), flags: ["late"] }) }] });
    expect(await catalog.get("default", sampleRow().run)).toMatchObject(part("b", 2));
  });

  test("a change that was made from one copy of a run is refused once the run has another one, or none", async () => {
    const at = (key: string, offset = 0) => ({
      parts: [{ revision: 0, content: "a".repeat(64), key, offset, length: 1 }],
    });
    const put = (key: string, ifPart: { key: string; offset: number } | null) =>
      catalog.apply({
        upsert: [{ row: sampleRow(at(key)), text: "", ifPart }],
        cursors: { [key]: "done" },
      });
    const remove = (key: string, offset: number) =>
      catalog.apply({ remove: [{ tenant: "default", run: sampleRow().run, ifPart: { key, offset } }] });
    const CONFLICT = { code: "CONFLICT" };
    await expect(put("one", { key: "none", offset: 0 })).rejects.toMatchObject(CONFLICT);
    await put("one", null);
    await expect(put("other", null)).rejects.toMatchObject(CONFLICT);
    const outcomes = await Promise.allSettled([
      put("two", { key: "one", offset: 0 }),
      put("three", { key: "one", offset: 0 }),
      put("four", { key: "two", offset: 1 }),
      remove("one", 0),
      put("five", { key: "two", offset: 0 }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    for (const each of outcomes) if (each.status === "rejected") expect(each).toMatchObject({ reason: CONFLICT });
    expect(await catalog.get("default", sampleRow().run)).toEqual(sampleRow(at("five")));
    expect(await catalog.cursor("three")).toBeNull();
    const [gone, late] = await Promise.allSettled([remove("five", 0), put("six", { key: "five", offset: 0 })]);
    expect([gone.status, late.status]).toEqual(["fulfilled", "rejected"]);
    await remove("five", 0);
    expect(await catalog.get("default", sampleRow().run)).toBeNull();
  });

  test("what was asked before closing is answered", async () => {
    const change = catalog.apply({ upsert: [{ row: sampleRow(), text: "" }] });
    const found = catalog.get("default", sampleRow().run);
    await change;
    await found;
  });
});

const refusing = Object.entries(drivers).filter(([name]) => !name.includes("memory") && !name.includes("beside"));
test.each(refusing)(
  "%s says of a row that it never takes which one it is, and takes those beside it",
  async (_, open) => {
    const catalog = await open();
    const broken = { ...sampleRow({ run: id(2) }), tags: null as never };
    const outcomes = await Promise.allSettled(
      [sampleRow({ run: id(1) }), broken, sampleRow({ run: id(3) })].map((row) =>
        catalog.apply({ upsert: [{ row, text: "" }] }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "REFUSED" } });
    expect((await catalog.find({ filter: EVERYTHING }, { limit: 9 })).rows).toHaveLength(2);
    await catalog.close();
  },
);

test("sqlite keeps rows, text and cursors over a restart, and refuses a file of a newer version or of another kind", async () => {
  const file = join(folder, "kept.sqlite");
  const first = await openSqliteCatalog({ file });
  await first.apply({ upsert: [{ row: sampleRow(), text: "hello" }], cursors: { a: "1" } });
  await first.close();
  const second = await openSqliteCatalog({ file });
  expect((await second.find({ filter: { is: "words", text: "HELLO" } }, { limit: 1 })).rows).toEqual([sampleRow()]);
  expect(await second.cursor("a")).toBe("1");
  await second.close();
  await expect(second.get("default", "x")).rejects.toMatchObject({ code: "UNUSABLE" });

  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(file);
  db.exec("PRAGMA user_version = 99");
  db.close();
  await expect(openSqliteCatalog({ file })).rejects.toMatchObject({ code: "NEWER_CATALOG" });
  await expect(openSqliteCatalog({ file: import.meta.filename })).rejects.toMatchObject({ code: "DAMAGED" });
});

const word = fc.constantFrom(
  "ok",
  "parrot",
  "Été",
  "a_b",
  "東京",
  "x",
  "EMAIL_abcd_kqzjwhtrmxbvnpds",
  `'); DROP TABLE runs; -- ? $1 %`,
  `{"a\\",b}`,
  "\0",
  "\ud800",
  "",
);
const few = fc.array(word, { maxLength: 3 });
const value = fc.option(word, { nil: null });
const number = fc.integer({ min: 0, max: 5 });
/** At the edge of a month, and where no clock is right. */
const moment = fc.constantFrom(0, 3, Date.UTC(2025, 11, 31, 23, 59, 59, 999), Date.UTC(2026, 0), 9e15);
const anyRow = fc.record({
  tenant: fc.constantFrom("t1", "t2"),
  run: fc.integer({ min: 0, max: 9 }).map(id),
  revision: fc.constantFrom(0, 1),
  user: value,
  session: value,
  name: word,
  status: fc.constantFrom("ok" as const, "failed" as const),
  complete: fc.boolean(),
  error: fc.option(
    word.map((text) => ({ class: text, message: "", fingerprint: text })),
    { nil: null },
  ),
  tags: few,
  tools: few,
  models: few,
  started: moment,
  cost: fc.option(fc.double({ noNaN: true, min: 0, max: 1 }), { nil: null }),
});
const field = fc.constantFrom<TextField | ListField>(...TEXT_FIELDS, ...LIST_FIELDS);
const { filter: anyFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ is: fc.constant("one-of" as const), field, values: few }),
    fc.record({ is: fc.constant("starts" as const), field, prefix: fc.constantFrom("", "p", "Ét", "0000", "\0") }),
    fc.record({
      is: fc.constant("number" as const),
      field: fc.constantFrom(...NUMBER_FIELDS),
      op: fc.constantFrom("<", "<=", "=", ">=", ">"),
      value: fc.oneof(number, moment),
    }),
    fc.record({ is: fc.constant("complete" as const), value: fc.boolean() }),
    few.map((words) => ({ is: "words" as const, text: words.join(" ") })),
    fc.record({ is: fc.constant("not" as const), of: tie("filter") }),
    fc.record({ is: fc.constantFrom("all" as const, "any" as const), of: fc.array(tie("filter"), { maxLength: 3 }) }),
  ),
}));

const BY_STATUS = [["ok"], ["failed"], ["ok", "failed", "ok"], ["aborted"], []].map((values): Filter => ({
  is: "one-of",
  field: "status",
  values,
}));

test("it finds, counts and orders what the memory catalog does, for any rows and any filter", async () => {
  const tested = await openCatalog(testCatalog(join(folder, "property.sqlite")));
  const change = fc.record({
    row: anyRow.map(sampleRow),
    text: fc.option(
      few.map((words) => words.join(", ")),
      { nil: undefined },
    ),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 12 }),
      fc.array(anyFilter, { minLength: 4, maxLength: 4 }),
      async (changes, filters) => {
        const memory = createMemoryCatalog();
        const upsert = changes.map(({ row, text }) => (text === undefined ? { row } : { row, text }));
        const remove = ["t1", "t2"].flatMap((tenant) => Array.from({ length: 10 }, (_, n) => ({ tenant, run: id(n) })));
        await tested.apply({ remove });
        for (const catalog of [memory, tested]) await catalog.apply({ upsert });
        for (const filter of [...filters, EVERYTHING, ...BY_STATUS]) {
          const query = { filter, tenant: "t1" };
          expect(await tested.find(query, { limit: 5 })).toEqual(await memory.find(query, { limit: 5 }));
          const fields = ["tag", "user", "name", "status", "session", "errorClass"] as const;
          expect(await tested.facets(query, fields, 3)).toEqual(await memory.facets(query, fields, 3));
        }
      },
    ),
    { numRuns: 60 },
  );
  await tested.close();
}, 60_000);
