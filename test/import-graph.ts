import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { specifiersOf } from "./specifiers.ts";

const root = dirname(import.meta.dirname);

/** Source files of all packages and the collector without their tests, as paths from the root with `/`. */
export function sourceFiles(): string[] {
  return globSync("{packages/*,collector}/src/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**"],
  })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => !/\.(test|fixture)\.ts$/.test(path))
    .toSorted();
}

/** The relative imports of each of these files, types included. */
export function importGraph(files: readonly string[]): Map<string, readonly string[]> {
  return new Map(files.map((file) => [file, importsOf(file)]));
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
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
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
