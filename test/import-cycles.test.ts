import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize, sep } from "node:path";
import { expect, test } from "vitest";
import { specifiersOf } from "./specifiers.ts";

interface KnownCycle {
  /** why its files still import each other */
  reason: string;
  package: string;
  /** names of its files without folder and extension */
  files: string;
}

/** Known import cycles. A known cycle may shrink; a further file in it, or another cycle, fails. */
const KNOWN: readonly KnownCycle[] = [
  {
    package: "redaction",
    reason: "a leaf may hold a structure whose leaves are read by the same function",
    files:
      "denied-cells denied-pairs embedded-json embedded-percent field-path form joined " +
      "json json-leaves key-lines leaf leaf-names leaf-paths octets percent piece-columns record-pieces " +
      "table-changes typed-text under-secret url",
  },
];

const root = dirname(import.meta.dirname);
const files = globSync("{packages/*,collector}/src/**/*.ts", {
  cwd: root,
  exclude: ["**/node_modules/**", "**/dist/**"],
})
  .map((path) => path.split(sep).join("/"))
  .filter((path) => !/\.(test|fixture)\.ts$/.test(path));

test("no files import each other in a cycle, types included", () => {
  const cycles = cyclesOf(new Map(files.map((file) => [file, importsOf(file)])));
  expect(cycles.filter((cycle) => !KNOWN.some((known) => holds(known, cycle)))).toEqual([]);
});

test("a cycle is found, and a chain is none", () => {
  const graph = { a: ["b"], b: ["c"], c: ["b", "d"], d: [], e: ["e"] };
  expect(cyclesOf(new Map(Object.entries(graph)))).toEqual([["b", "c"], ["e"]]);
});

test("every known cycle still exists", () => {
  const cycles = cyclesOf(new Map(files.map((file) => [file, importsOf(file)])));
  expect(KNOWN.filter((known) => !cycles.some((cycle) => holds(known, cycle)))).toEqual([]);
});

function holds(known: KnownCycle, cycle: readonly string[]): boolean {
  const names = known.files.split(" ");
  return cycle.every(
    (file) => file.startsWith(`packages/${known.package}/`) && names.includes(basename(file).slice(0, -".ts".length)),
  );
}

function importsOf(file: string): string[] {
  const all = specifiersOf(readFileSync(join(root, file), "utf8"));
  return all
    .filter(({ name }) => name.startsWith("."))
    .map(({ name }) =>
      normalize(join(dirname(file), name))
        .split(sep)
        .join("/"),
    );
}

/** Strongly connected components of more than one file, or of a file that imports itself; each sorted (Tarjan). */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    lowest.set(file, own);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      const reached = !index.has(next) ? visit(next) : stack.includes(next) ? index.get(next)! : own;
      lowest.set(file, Math.min(lowest.get(file)!, reached));
    }
    if (lowest.get(file) === own) {
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1 || graph.get(file)?.includes(file)) cycles.push(component.toSorted());
    }
    return lowest.get(file)!;
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return cycles;
}
