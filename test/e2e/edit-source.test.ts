import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { editSource } from "./edit-source.ts";
import { RULES } from "./rules.ts";

const root = dirname(dirname(import.meta.dirname));
const edits = RULES.flatMap((rule) => rule.edits);

const SOURCE = `class Gate {
  readonly #wait = 1;
  #fire(n: number): void { if (this.#wait > n) this.send(n); else log("fire"); }
}
function outer() { function inner(a: number) { return a; } return { key() { return inner(2); } }; }
`;

test.each([
  ["Gate", { value: "2", of: "#wait" }, "#wait = 2;"],
  ["Gate.#fire", { condition: "true", of: "#wait" }, "if (true) this.send(n);"],
  ["Gate.#fire", { call: "send", becomes: "$0.keep($1, $&)" }, "if (this.#wait > n) this.keep(n, this.send(n));"],
  ["outer.inner", { body: "return 1;" }, "inner(a: number) { return 1; }"],
  ["outer.key", { first: "log(1);" }, "key() { log(1);  return inner(2); }"],
] as const)("%s, %j", (symbol, change, expected) => {
  expect(editSource(SOURCE, symbol, change)).toContain(expected);
});

test("a symbol that is not declared is none, and a place that is not there an error", () => {
  expect(editSource(SOURCE, "Gate.open", { body: "" })).toBeNull();
  expect(() => editSource(SOURCE, "outer.inner", { call: "send", becomes: "" })).toThrow("the rule has moved");
});

test.each(edits)("one place is edited: $package $symbol $change", ({ package: name, symbol, change }) => {
  const files = globSync(`packages/${name}/src/**/*.ts`, { cwd: root, exclude: ["**/*.test.ts", "**/*.fixture.ts"] });
  const edited = files.filter((file) => editSource(readFileSync(join(root, file), "utf8"), symbol, change) !== null);
  expect(edited).toHaveLength(1);
});
