import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Catalog, CatalogAddress } from "../catalog.ts";
import { EVERYTHING } from "../filter.ts";
import { openCatalog, removeCatalog } from "../open-catalog.ts";
import { sampleRow } from "../sample-row.test.fixture.ts";
import { TEST_DATABASE, testCatalog } from "../test-catalog.test.fixture.ts";

// `test/services` runs these with a server
describe.skipIf(TEST_DATABASE === undefined)("a catalog that several collectors share", () => {
  let address: CatalogAddress;
  const opened: Catalog[] = [];
  const id = (digit: number) => digit.toString(16).padStart(32, "0");

  beforeEach(() => (address = testCatalog(join("/", randomUUID()))));
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((catalog) => catalog.close()));
    await removeCatalog(address);
  });
  async function open(): Promise<Catalog> {
    const catalog = await openCatalog(address);
    opened.push(catalog);
    return catalog;
  }
  async function sql(text: string): Promise<Record<string, unknown>[]> {
    const schema = address.driver === "postgres" ? address.schema : "";
    const pool = new Pool({ connectionString: TEST_DATABASE, options: `-c search_path=${schema}`, max: 1 });
    try {
      return (await pool.query<Record<string, unknown>>(text)).rows;
    } finally {
      await pool.end();
    }
  }

  test("opened at once, its tables are made once; of a newer version it is refused", async () => {
    await Promise.all([open(), open(), open(), open()]);
    expect(await sql("SELECT version FROM migrations")).toEqual([{ version: 1 }, { version: 2 }]);
    await sql("INSERT INTO migrations (version) VALUES (99)");
    await expect(openCatalog(address)).rejects.toMatchObject({ code: "NEWER_CATALOG" });
    await sql("DELETE FROM migrations WHERE version = 99");
  });

  test("the tables of a later version: who has opened it before works on, and who opens it then is told so", async () => {
    const running = await open();
    const row = sampleRow({ started: Date.UTC(2026, 0, 2) });
    await running.apply({ upsert: [{ row, text: "before" }] });
    await sql("ALTER TABLE runs ADD COLUMN later text; CREATE TABLE later (run text PRIMARY KEY)");
    await sql("CREATE INDEX runs_later ON runs (later); INSERT INTO migrations (version) VALUES (99)");
    await expect(openCatalog(address)).rejects.toMatchObject({ code: "NEWER_CATALOG" });
    // in a month that has no partition yet
    const other = { ...row, run: "f".repeat(32), started: Date.UTC(2026, 5, 2) };
    await running.apply({ upsert: [{ row: other, text: "after" }], cursors: { place: "1" } });
    expect(await running.get(row.tenant, other.run)).toMatchObject({ run: other.run });
    const { rows } = await running.find({ tenant: row.tenant, filter: EVERYTHING }, { limit: 10 });
    expect(rows.map(({ run }) => run)).toEqual([other.run, row.run]);
    expect([await running.lease("one", "me", 1_000), await running.fence("one")]).toEqual([true, 1]);
    // another program's table is still refused
    await sql("DELETE FROM migrations WHERE version = 99");
    await expect(openCatalog(address)).rejects.toMatchObject({ code: "DENIED" });
    await sql("DROP TABLE later");
  });

  test("a number that it does not take is refused for ever, not waited for", async () => {
    const catalog = await open();
    const change = { upsert: [{ row: sampleRow({ revision: 2 ** 40 }), text: "" }] };
    await expect(catalog.apply(change)).rejects.toMatchObject({ code: "REFUSED" });
  });

  test("what several write at once is there once, in partitions of its months, and who follows the changes misses none", async () => {
    const writers = await Promise.all([open(), open(), open()]);
    const reader = await open();
    const all = 90;
    let isWritten = false;
    const writing = Promise.all(
      writers.map(async (catalog, w) => {
        for (let n = 0; n < all; n++) {
          const started = Date.UTC(2026, n % 4, 2);
          // the writers share every second run
          const run = id(n % 2 === 0 ? n : 1000 * (w + 1) + n);
          await catalog.apply({ upsert: [{ row: sampleRow({ run, started }), text: "" }] });
        }
      }),
    ).then(() => (isWritten = true));
    const seen = new Set<string>();
    let after: string | null = null;
    for (let last = false; ;) {
      const { rows, next } = await reader.find({ filter: EVERYTHING }, { limit: 7, order: "changed", after });
      for (const { run } of rows) seen.add(run);
      after = next;
      if (rows.length > 0) continue;
      if (last) break;
      last = isWritten;
    }
    await writing;
    const runs = all / 2 + (3 * all) / 2;
    expect(seen.size).toBe(runs);
    expect((await reader.find({ filter: EVERYTHING }, { limit: 1 })).count).toEqual({ value: runs, exact: true });
    const facets = await reader.facets({ tenant: "default", filter: EVERYTHING }, ["status"], 5);
    expect(facets.status).toEqual([{ value: "ok", runs }]);
    const months = await sql("SELECT DISTINCT tableoid::regclass::text AS name FROM runs ORDER BY 1");
    expect(months.map(({ name }) => name)).toEqual(["runs_202601", "runs_202602", "runs_202603", "runs_202604"]);
  });

  test("a change of more rows than one statement takes puts all of them, in their order", async () => {
    const catalog = await open();
    const rows = Array.from({ length: 1_203 }, (_, n) => sampleRow({ run: id(n), started: Date.UTC(2026, n % 3, 5) }));
    await catalog.apply({ upsert: rows.map((row) => ({ row, text: `run ${row.run}` })) });
    const found = await catalog.find({ filter: EVERYTHING }, { limit: 1_000, order: "changed" });
    const rest = await catalog.find({ filter: EVERYTHING }, { limit: 1_000, order: "changed", after: found.next });
    expect([...found.rows, ...rest.rows]).toEqual(rows);
    const asked = [...rows.map(({ run }) => run), id(5_000), id(3)];
    const each = await Promise.all(asked.map((run) => catalog.get("default", run)));
    expect(each).toEqual([...rows, null, rows[3]]);
  });

  test("of many that want a lease at once one has it, and another one once its time is over", async () => {
    const catalogs = await Promise.all([open(), open(), open()]);
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, n) => catalogs[n % 3]!.lease("sweep", `owner ${n}`, 60_000)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    const owner = `owner ${taken.indexOf(true)}`;
    // renewed for a shorter time
    expect(await catalogs[0]!.lease("sweep", owner, 300)).toBe(true);
    await expect.poll(() => catalogs[1]!.lease("sweep", "another", 300)).toBe(true);
    expect(await catalogs[0]!.lease("sweep", owner, 300)).toBe(false);
  });

  test("a text that is longer than an entry of an index is kept, counted and found as a whole and by its begin", async () => {
    const catalog = await open();
    const long = randomBytes(6_000).toString("base64");
    const error = { class: long, message: "no", fingerprint: "f" };
    const all = { name: long, session: long, user: long, version: long, service: long, project: long, error };
    const row = sampleRow({ run: id(1), ...all, tags: [long], models: [long], tools: [long] });
    await catalog.apply({ upsert: [{ row }, { row: sampleRow({ run: id(2), session: `${long}x` }) }] });
    for (const field of ["name", "session", "user", "errorClass", "tag", "model"] as const) {
      const { rows } = await catalog.find(
        { tenant: "default", filter: { is: "one-of", field, values: [long] } },
        { limit: 9 },
      );
      expect(rows).toEqual([row]);
      const begin = { is: "starts", field, prefix: long.slice(0, 100) } as const;
      const found = await catalog.find({ tenant: "default", filter: begin }, { limit: 9 });
      expect(found.rows).toHaveLength(field === "session" ? 2 : 1);
    }
    await catalog.apply({ remove: [{ tenant: "default", run: id(1) }] });
    expect((await catalog.facets({ tenant: "default", filter: EVERYTHING }, ["version", "tag"], 5)).version).toEqual(
      [],
    );
  });

  test("a schema in which another program has a table is neither used nor removed", async () => {
    await open();
    await sql("CREATE TABLE customers (id int)");
    await expect(openCatalog(address)).rejects.toMatchObject({ code: "DENIED" });
    await expect(removeCatalog(address)).rejects.toMatchObject({ code: "DENIED" });
    expect(await sql("SELECT id FROM customers")).toEqual([]);
    await sql("DROP TABLE customers");
  });

  test("a question that takes too long is ended, and says so", async () => {
    if (address.driver !== "postgres") throw new Error("no database");
    await open();
    const impatient = await openCatalog({ ...address, queryMs: 200 });
    opened.push(impatient);
    const holder = new Pool({ connectionString: TEST_DATABASE, options: `-c search_path=${address.schema}`, max: 1 });
    const client = await holder.connect();
    try {
      await client.query("BEGIN; LOCK TABLE runs IN ACCESS EXCLUSIVE MODE");
      await expect(impatient.find({ filter: EVERYTHING }, { limit: 1 })).rejects.toMatchObject({ code: "UNUSABLE" });
      await client.query("ROLLBACK");
      expect((await impatient.find({ filter: EVERYTHING }, { limit: 1 })).rows).toEqual([]);
    } finally {
      client.release();
      await holder.end();
    }
  });
});
