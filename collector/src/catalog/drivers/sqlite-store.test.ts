import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sampleRow } from "../sample-row.test.fixture.ts";
import type { Filter } from "../filter.ts";
import { pageCursor } from "../page-cursor.ts";
import { countSql, pageSql } from "./sqlite-queries.ts";
import { openStore } from "./sqlite-store.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "catalog-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pageOf = (file: string) => {
  const db = new DatabaseSync(file);
  const { page_size: page } = db.prepare("PRAGMA page_size").get() as { page_size: number };
  db.close();
  return page;
};

test.each([
  ["a new file", null, 2048],
  ["a file that was made with larger pages", 4096, 4096],
])("%s", (_, made, page) => {
  const file = join(folder, "catalog.sqlite");
  if (made !== null) {
    const db = new DatabaseSync(file);
    db.exec(`PRAGMA page_size = ${made}; PRAGMA journal_mode = WAL; CREATE TABLE other (id INTEGER)`);
    db.close();
  }
  const store = openStore(file);
  const row = sampleRow();
  store.apply([{ upsert: [{ row, text: "a word" }] }]);
  store.close();
  const again = openStore(file);
  expect(again.get(row.tenant, row.run)).toEqual(row);
  again.close();
  expect(pageOf(file)).toBe(page);
});

const one = (field: "status" | "name" | "user" | "session" | "fingerprint", value: string): Filter => ({
  is: "one-of",
  field,
  values: [value],
});
const lists: [string, Filter, string][] = [
  ["all", { is: "all", of: [] }, "runs_tenant "],
  ["status", one("status", "failed"), "runs_tenant_status "],
  ["name", one("name", "desk"), "runs_tenant_name "],
  ["user", one("user", "u"), "runs_tenant_user "],
  ["session", one("session", "s"), "runs_tenant_session "],
  ["fingerprint", one("fingerprint", "f"), "runs_tenant_fingerprint "],
];

/** 400 rows, of two tenants, as analysed as they will be. */
function filled(analyse: boolean): DatabaseSync {
  const file = join(folder, "catalog.sqlite");
  const store = openStore(file);
  const rows = Array.from({ length: 400 }, (_, n) =>
    sampleRow({
      run: n.toString(16).padStart(32, "0"),
      tenant: n % 10 === 0 ? "other" : "default",
      started: n,
      status: n % 20 === 0 ? "failed" : "ok",
      user: `u${n % 7}`,
      session: `s${n}`,
    }),
  );
  store.apply([{ upsert: rows.map((row) => ({ row, text: "" })) }]);
  store.close();
  const db = new DatabaseSync(file);
  if (analyse) db.exec("ANALYZE");
  return db;
}

test.each([true, false])(
  "lists and counts of a tenant read an index, sort nothing and skip nothing; analysed: %s",
  (analyse) => {
    const db = filled(analyse);
    const planOf = ({ text, values }: ReturnType<typeof pageSql>) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all(...values)
        .map(({ detail }) => String(detail));
    const after = pageCursor(sampleRow({ run: "1".repeat(32), started: 200 }));
    for (const [name, filter, index] of lists) {
      const query = { tenant: "default", filter };
      for (const page of [{ limit: 50 }, { limit: 50, after }]) {
        const plan = planOf(pageSql(query, page));
        const [runs] = plan.filter((line) => / r\b/.test(line));
        expect(runs, name).toMatch(/^SEARCH r USING (COVERING )?INDEX /);
        expect(runs, name).toContain(index);
        if ("after" in page) expect(runs, name).toContain("started<?");
        expect(plan.join("\n"), name).not.toMatch(/SCAN r|TEMP B-TREE/);
      }
      expect(planOf(countSql(query)).join("\n"), name).toMatch(/SEARCH r USING COVERING INDEX/);
    }
    db.close();
  },
);

const planIn = (db: DatabaseSync, { text, values }: ReturnType<typeof pageSql>) =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all(...values)
    .map(({ detail }) => String(detail))
    .join("\n");

test("a word that most runs have is looked for in the order of the list, and pages hold what a look at every row finds", () => {
  const file = join(folder, "many.sqlite");
  const store = openStore(file);
  const rows = Array.from({ length: 6_000 }, (_, n) =>
    sampleRow({
      run: n.toString(16).padStart(32, "0"),
      tenant: n % 10 === 0 ? "other" : "default",
      started: (n * 7919) % 1000,
      status: n % 3 === 0 ? "failed" : "ok",
    }),
  );
  store.apply([
    { upsert: rows.map((row) => ({ row, text: `agent ${Number.parseInt(row.run, 16) % 2 === 0 ? "even" : "odd"}` })) },
  ]);
  const words: Filter = { is: "words", text: "Agent" };
  const filters: [Filter, typeof rows][] = [
    [words, rows],
    [{ is: "all", of: [words, one("status", "failed")] }, rows.filter(({ status }) => status === "failed")],
    [
      { is: "all", of: [words, { is: "not", of: { is: "words", text: "agent odd" } }] },
      rows.filter((_, n) => n % 2 === 0),
    ],
  ];
  for (const [filter, fitting] of filters) {
    const wanted = fitting
      .filter(({ tenant }) => tenant === "default")
      .toSorted((a, b) => b.started - a.started || (a.run < b.run ? -1 : 1));
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = store.find({ tenant: "default", filter }, { limit: 700, after });
      expect(page.count).toEqual({ value: wanted.length, exact: true });
      seen.push(...page.rows.map(({ run }) => run));
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual(wanted.map(({ run }) => run));
  }
  store.close();
  const db = new DatabaseSync(file);
  const query = { tenant: "default", filter: words };
  expect(
    planIn(
      db,
      pageSql(query, { limit: 50 }, () => true),
    ),
  ).not.toContain("TEMP B-TREE");
  // few are looked up, and so are those that no index has in order
  expect(
    planIn(
      db,
      pageSql(query, { limit: 50 }, () => false),
    ),
  ).toContain("TEMP B-TREE");
  expect(
    planIn(
      db,
      pageSql(query, { limit: 50, order: "cost" }, () => true),
    ),
  ).toContain("r USING INTEGER PRIMARY KEY");
  expect(planIn(db, countSql(query))).toContain("SCAN t VIRTUAL TABLE");
  db.close();
});

test("a catalog of an older version gets the indexes, and keeps its rows", () => {
  const before = filled(false);
  before.exec(`DROP INDEX runs_tenant_status; DROP INDEX runs_tenant_name; DROP INDEX runs_tenant_user;
    DROP INDEX runs_tenant_session; DROP INDEX runs_tenant_fingerprint; DROP TABLE facet_counts; CREATE INDEX runs_status ON runs (status, started DESC);
    PRAGMA user_version = 2`);
  before.close();
  const store = openStore(join(folder, "catalog.sqlite"));
  const found = store.find({ tenant: "default", filter: one("status", "failed") }, { limit: 5 });
  expect(found.rows).toHaveLength(0);
  expect(store.find({ tenant: "other", filter: one("status", "failed") }, { limit: 5 }).count).toEqual({
    value: 20,
    exact: true,
  });
  const facets = store.facets({ tenant: "other", filter: one("status", "failed") }, ["status", "user", "name"], 2);
  expect(facets).toEqual({
    status: [{ value: "failed", runs: 20 }],
    user: [
      { value: "u0", runs: 3 },
      { value: "u2", runs: 3 },
    ],
    name: [{ value: "agent", runs: 20 }],
  });
  store.close();
  const db = new DatabaseSync(join(folder, "catalog.sqlite"));
  const names = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'index'")
    .all()
    .map(({ name }) => name);
  expect(names).toContain("runs_tenant_status");
  expect(names).not.toContain("runs_status");
  db.close();
});

test("facets of a tenant, and those of a status, read no row", () => {
  filled(false).close();
  const db = new DatabaseSync(join(folder, "catalog.sqlite"));
  // what cannot be read cannot be counted
  db.exec("PRAGMA foreign_keys = OFF; DELETE FROM runs; DELETE FROM run_values");
  db.close();
  const store = openStore(join(folder, "catalog.sqlite"));
  const fields = ["status", "name", "user"] as const;
  const all = store.facets({ tenant: "default", filter: { is: "all", of: [] } }, fields, 1);
  expect(all).toMatchObject({ status: [{ value: "ok", runs: 360 }], name: [{ value: "agent", runs: 360 }] });
  const ok = store.facets({ tenant: "default", filter: one("status", "ok") }, fields, 1);
  expect(ok.name).toEqual([{ value: "agent", runs: 360 }]);
  store.close();
});
