import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchModuleLoading } from "./module-loading.ts";
import type { Hook } from "./hook.ts";
import type { AnyFunction } from "./hooked-file.ts";
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

/** `use(tool)` calls the tool, which gives its name. */
const holder: Hook = {
  name: "tests/holder",
  title: "held things",
  files: [{ packages: ["holder"], path: /^lib\/\w+\.cjs$/, value: "use" }],
  tools: {
    kind: "TOOL",
    args([given], watch) {
      const tool = given as { name: string; run: () => unknown };
      seen.push(tool.name);
      if (tool.name === "odd") throw new Error("a fault of the hook");
      return [{ ...tool, run: watch({ name: tool.name, run: tool.run, self: tool }) }];
    },
  },
};
const USE = "function use(tool) { return [tool.run(1, 2), arguments.length]; }\n";

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
  undo = watchModuleLoading([watchHooks([hook, holder])]);
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

test("a function that holds tools is given watched ones in a copy, in its module and among its exports", () => {
  const { use, again } = load(
    "holder",
    "1.0.0",
    "lib/f.cjs",
    `${USE}exports.use = use;\nexports.again = (tool) => use(tool);`,
  ) as Record<string, (tool: object) => [string, number]>;
  const tool = {
    name: "plain",
    run(...args: unknown[]) {
      return `${this.name} ${args.join()} ${this === tool}`;
    },
  };
  const { run } = tool;
  for (const call of [use, again]) expect(call?.(tool)).toEqual(["plain 1,2 true", 1]);
  expect(tool.run).toBe(run);
  expect(use?.({ name: "odd", run: () => "ran" })).toEqual(["ran", 1]);
  expect(seen).toEqual(["plain", "plain", "odd"]);
  undo();
  expect(use?.(tool)).toEqual(["plain 1,2 true", 1]);
  expect(seen).toHaveLength(3);
});

test("a name that cannot be assigned to is left alone", () => {
  const use = load("holder", "1.0.0", "lib/g.cjs", "const use = (tool) => tool.run();\nmodule.exports = use;");
  expect((use as (tool: object) => unknown)({ name: "odd", run: () => 1 })).toBe(1);
  expect(seen).toEqual([]);
});

test("a queue's method is watched in its own class only", () => {
  undo();
  const queue = (value: string, method: string) => ({
    packages: ["queues"],
    path: /^lib\/\w+\.cjs$/,
    value,
    method,
    around: (real: AnyFunction) =>
      function (this: unknown, ...args: unknown[]) {
        return [value, method, Reflect.apply(real, this, args)];
      },
  });
  const wire = { system: "tests", methods: [], attach: vi.fn(), session: vi.fn() };
  const queues = [queue("Client", "query"), queue("Pool", "connect")];
  undo = watchModuleLoading([watchHooks([{ name: "tests/queues", title: "queues", wire: { ...wire, queues } }])]);
  const class_ = (name: string) => `class ${name} { query() { return "asked"; } connect() { return "connected"; } }\n`;
  const source = `${class_("Client")}${class_("Pool")}module.exports = { Client, Pool };`;
  const { Client, Pool } = load("queues", "1.0.0", "lib/q.cjs", source) as Record<string, new () => QueueClass>;
  const [client, pool] = [new Client!(), new Pool!()];
  expect([client.query(), client.connect()]).toEqual([["Client", "query", "asked"], "connected"]);
  expect([pool.query(), pool.connect()]).toEqual(["asked", ["Pool", "connect", "connected"]]);
});

interface QueueClass {
  query(): unknown;
  connect(): unknown;
}
