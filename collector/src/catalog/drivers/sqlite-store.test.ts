import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sampleRow } from "../sample-row.test.fixture.ts";
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
