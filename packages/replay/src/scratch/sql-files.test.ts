import { expect, test } from "vitest";
import { sqlFiles } from "./sql-files.ts";

const mark = (sql: string): string => sqlFiles(sql, (name) => `<${name}>`).sql;

test("names in ATTACH and VACUUM INTO are replaced, and nothing else", () => {
  expect(mark("attach 'a''b.db' as x")).toBe("attach '<a''b.db>' as x");
  expect(mark('ATTACH DATABASE "a.db" AS x; Attach b as y;')).toBe("ATTACH DATABASE '<a.db>' AS x; Attach '<b>' as y;");
  expect(mark("VACUUM INTO 'v.db'")).toBe("VACUUM INTO '<v.db>'");
  expect(mark("vacuum main /* c */ into -- d\n 'v.db';")).toBe("vacuum main /* c */ into -- d\n '<v.db>';");
  for (const sql of [
    "insert into t values ('attach ''x'' as y')",
    "select attach, 'into' from t",
    "-- attach 'x' as y\nselect 1",
    "vacuum",
  ])
    expect(mark(sql)).toBe(sql);
});

test("parameters are reported by number or name", () => {
  expect(sqlFiles("attach ? as ?", (n) => n).parameters).toEqual([0]);
  expect(sqlFiles("attach ?2 as x; attach :file as y", (n) => n).parameters).toEqual([1, "file"]);
});

test("computed names are refused", () => {
  expect(() => mark("attach 'a' || '.db' as x")).toThrow("computed by SQL");
  expect(() => mark("vacuum into upper('x')")).toThrow("computed by SQL");
});
