import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installScratch, type Scratch } from "./scratch.ts";

const sqlite = process.getBuiltinModule("node:sqlite");

let base: string;
let file: string;
let scratch: Scratch;

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), "scratch-")));
  file = join(base, "shop.db");
});

afterEach(() => {
  scratch.undo();
  fs.rmSync(base, { recursive: true, force: true });
});

function plant(path: string, mode = "delete"): Buffer {
  const db = new DatabaseSync(path);
  db.exec(`pragma journal_mode = ${mode}; create table orders (id integer); insert into orders values (1), (2), (3)`);
  db.close();
  return fs.readFileSync(path);
}

function install(): void {
  scratch = installScratch({
    folder: join(base, "scratch"),
    applies: () => true,
    ignore: () => false,
    onCopy: () => {},
  });
}

function count(path: string | URL, options = {}): unknown {
  const db = new sqlite.DatabaseSync(path as string, options);
  try {
    return db.prepare("select count(*) as n from orders").get()?.["n"];
  } finally {
    db.close();
  }
}

test("rows are deleted in a copy; the database file stays as it was, byte for byte", () => {
  const before = plant(file);
  install();
  const db = new sqlite.DatabaseSync(file);
  expect(db).toBeInstanceOf(sqlite.DatabaseSync);
  expect(db.constructor).toBe(sqlite.DatabaseSync);
  db.exec("delete from orders where id = 2");
  db.close();
  expect(count(file)).toBe(2);
  expect(count(file, { readOnly: true })).toBe(2);
  expect(count(pathToFileURL(file))).toBe(2);
  expect(scratch.copies().map((c) => c.original)).toEqual([file]);
  fs.writeFileSync(join(base, "beside.txt"), "x");
  scratch.undo();
  expect(fs.readFileSync(file)).toEqual(before);
  expect(fs.readdirSync(base).sort()).toEqual(["scratch", "shop.db"]);
  expect(count(file)).toBe(3);
});

test("a write-ahead log is copied with its database, and a reader leaves nothing beside the original", () => {
  const open = new DatabaseSync(file);
  open.exec(
    "pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table orders (id integer); insert into orders values (1), (2), (3)",
  );
  const before = [fs.readFileSync(file), fs.readFileSync(`${file}-wal`)];
  install();
  expect(count(file, { readOnly: true })).toBe(3);
  const db = new sqlite.DatabaseSync(file);
  db.exec("delete from orders");
  db.close();
  expect(count(file)).toBe(0);
  scratch.undo();
  expect([fs.readFileSync(file), fs.readFileSync(`${file}-wal`)]).toEqual(before);
  expect(open.prepare("select count(*) as n from orders").get()).toMatchObject({ n: 3 });
  open.close();
});

test("attached databases, vacuum into, and backups are scratch copies too", async () => {
  const other = join(base, "it's other.db");
  const before = plant(other);
  install();
  const db = new sqlite.DatabaseSync(":memory:");
  db.exec(`-- attach 'no'\nattach database '${other.replaceAll("'", "''")}' as other; delete from other.orders`);
  db.prepare("attach ? as again").run(other);
  expect(db.prepare("select count(*) as n from again.orders").get()).toMatchObject({ n: 0 });
  db.exec("create table kept (note); insert into kept values ('attach ''x'' as y')");
  db.exec(`vacuum into '${join(base, "vacuumed.db")}'`);
  await sqlite.backup(db, join(base, "backup.db"));
  expect(fs.existsSync(join(base, "vacuumed.db")) && fs.existsSync(join(base, "backup.db"))).toBe(true);
  expect(() => db.exec(`attach '${base}' || '/computed.db' as third`)).toThrow("computed by SQL");
  db.close();
  scratch.undo();
  expect(fs.readFileSync(other)).toEqual(before);
  expect(fs.readdirSync(base).sort()).toEqual(["it's other.db", "scratch"]);
  expect(sqlite.backup).toBe(backup);
});

test("databases in memory are as they were", () => {
  install();
  for (const name of [":memory:", "", "file::memory:"]) new sqlite.DatabaseSync(name).close();
  expect(scratch.copies()).toEqual([]);
});

test("better-sqlite3 opens a scratch copy, with and without new", () => {
  const before = plant(file);
  const lib = join(base, "node_modules", "better-sqlite3", "lib");
  fs.mkdirSync(lib, { recursive: true });
  fs.writeFileSync(join(lib, "..", "package.json"), '{"name":"better-sqlite3","main":"lib/index.js"}');
  fs.writeFileSync(
    join(lib, "index.js"),
    `const { Driver } = globalThis.scratchTest;
     function Database(name, options) { if (new.target == null) return new Database(name, options); this.db = new Driver(name); }
     Database.prototype.exec = function (sql) { this.db.exec(sql); return this; };
     Database.prototype.prepare = function (sql) { return this.db.prepare(sql); };
     Database.prototype.close = function () { this.db.close(); };
     module.exports = Database; module.exports.SqliteError = class SqliteError extends Error {};`,
  );
  (globalThis as Record<string, unknown>)["scratchTest"] = { Driver: DatabaseSync };
  install();
  type Better = { exec(sql: string): Better; prepare(sql: string): { get(): unknown }; close(): void };
  type BetterClass = { new (name: string): Better; (name: string): Better; SqliteError: unknown };
  const Database = createRequire(join(base, "main.js"))("better-sqlite3") as BetterClass;
  const db = new Database(file);
  expect(db).toBeInstanceOf(Database);
  expect(Database.SqliteError).toBeTypeOf("function");
  db.exec("delete from orders");
  db.close();
  const again = Database(file);
  expect(again.prepare("select count(*) as n from orders").get()).toMatchObject({ n: 0 });
  again.close();
  scratch.undo();
  expect(fs.readFileSync(file)).toEqual(before);
});
