import { expect, test } from "vitest";
import { specifiersOf } from "./specifiers.ts";

test.each([
  ['import a from "x";', "x", "code"],
  ['import a, { b } from "x";', "x", "code"],
  ['import * as a from "x";', "x", "code"],
  ["import 'x';", "x", "code"],
  ['import type { A } from "x";', "x", "types"],
  ['import { type A } from "x";', "x", "code"],
  ['import {\n  a,\n  b,\n} from "x" with { type: "json" };', "x", "code"],
  ['export { a } from "x";', "x", "code"],
  ['export * from "x";', "x", "code"],
  ['export type { A } from "x";', "x", "types"],
  ['const a = await import("x");', "x", "code"],
  ["const a = await import(`x`);", "x", "code"],
  ['const a = require("x");', "x", "code"],
  ['import a = require("x");', "x", "code"],
  ['require.resolve("x")', "x", "path"],
  ['import.meta.resolve("x")', "x", "path"],
  ['type A = import("x").A;', "x", "code"],
  ['declare module "x" {}', "x", "types"],
])("%s", (source, name, kind) => {
  expect(specifiersOf(source)).toEqual([{ name, kind }]);
});

test.each([
  ['// import a from "x";'],
  ['/* import a from "x"; */'],
  ["const a = 'import a from \"x\"';"],
  ['const a = `import a from "x"`;'],
  ['const from = "x"; const b = { from: "x" };'],
])("nothing in %s", (source) => {
  expect(specifiersOf(source)).toEqual([]);
});

test("a comment mark inside a string, a template or a regular expression hides nothing", () => {
  const source = 'const a = "packages/*/src"; const b = `${c ? `/*` : "}"} //`; const d = /[/*"]/; import("x"); // */';
  expect(specifiersOf(source)).toEqual([{ name: "x", kind: "code" }]);
});

test("a division is not a regular expression", () => {
  expect(specifiersOf('const a = b / c; import "x"; const d = (e) / 2;')).toEqual([{ name: "x", kind: "code" }]);
});
