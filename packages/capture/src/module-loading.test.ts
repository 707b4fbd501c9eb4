import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { watchModuleLoading, watchModules } from "./module-loading.ts";

const folder = mkdtempSync(join(tmpdir(), "watched-modules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a module shows what it has; one that calls it otherwise, or a look that throws, is loaded as ever", () => {
  const seen: unknown[] = [];
  const watch = watchModules<unknown>(
    "watched-test",
    (url) => (/watched-\w+\.cjs$/.test(url) ? "Thing" : null),
    (value) => {
      seen.push(value);
      throw new Error("of ours");
    },
    [],
  );
  const undo = watchModuleLoading([watch]);
  const require = createRequire(pathToFileURL(join(folder, "main.cjs")));
  const load = (name: string, source: string): unknown => {
    writeFileSync(join(folder, name), source);
    return require(`./${name}`);
  };
  try {
    const Thing = load("watched-one.cjs", "class Thing {}\nmodule.exports = Thing;\n//# sourceMappingURL=one.map");
    expect(seen).toEqual([Thing]);
    expect(load("watched-two.cjs", "module.exports = 2;")).toBe(2);
    expect(load("another.cjs", "const Thing = 1; module.exports = Thing;")).toBe(1);
    expect(seen).toHaveLength(1);
  } finally {
    undo();
  }
});
