import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { watchModuleLoading } from "./module-loading.ts";
import type { Hook } from "./hook.ts";
import { watchHooks } from "./watch-hooks.ts";

const folder = mkdtempSync(join(tmpdir(), "hooks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const require = createRequire(pathToFileURL(join(folder, "main.cjs")));

/** Loads a file that is written into a package of this version. */
function load(name: string, version: string, path: string, source: string): unknown {
  const file = join(folder, "node_modules", name, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(folder, "node_modules", name, "package.json"), JSON.stringify({ name, version }));
  writeFileSync(file, source);
  return require(file);
}

let seen: unknown[] = [];
let undo: () => void;
const hook: Hook = {
  name: "tests/thing",
  title: "things",
  files: [{ packages: ["thing", "@scope/thing"], path: /^lib\/\w+\.cjs$/, value: "Thing" }],
  versions: { from: "1.2.0", below: "3" },
  patch(value: unknown, undos) {
    seen.push(value);
    undos.push(() => seen.push("undone"));
    throw new Error("a fault of the hook");
  },
};
beforeEach(() => {
  seen = [];
  undo = watchModuleLoading([watchHooks([hook])]);
});
afterEach(() => undo());

test("a hook gets the value of its module; a throw in it does not reach the program", () => {
  const Thing = load(
    "thing",
    "1.2.0",
    "lib/a.cjs",
    "class Thing {}\nmodule.exports = Thing;\n//# sourceMappingURL=a.map",
  );
  expect(seen).toEqual([Thing]);
  const Scoped = load("@scope/thing", "2.9.1", "lib/b.cjs", "class Thing {}\nmodule.exports = Thing;");
  expect(seen).toEqual([Thing, Scoped]);
  undo();
  expect(seen.slice(2)).toEqual(["undone", "undone"]);
});

test("a module without the value, another file and another package are loaded unchanged", () => {
  expect(load("thing", "1.2.0", "lib/c.cjs", "module.exports = 2;")).toBe(2);
  load("thing", "1.2.0", "src/d.cjs", "class Thing {}");
  load("nothing", "1.2.0", "lib/e.cjs", "class Thing {}");
  expect(seen).toEqual([]);
});

test.each(["1.1.9", "3.0.0", "not a version"])("version %s is outside the range and is left alone", (version) => {
  load("thing", version, `lib/v${version.length}${version.charCodeAt(0)}.cjs`, "class Thing {}");
  expect(seen).toEqual([]);
});
