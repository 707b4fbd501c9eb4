// `npm run numbers`: sizes and shape of the sources, as the table in CONTRIBUTING.md shows them. `-- --write` writes it there.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { cyclesOf, importGraph, sourceFiles } from "../import-graph.ts";

/** The greatest complexity of a function that lint accepts. */
const MOST_BRANCHES = 15;
const CONTRIBUTING = "CONTRIBUTING.md";
const [BEGIN, END] = ["<!-- numbers -->\n", "<!-- /numbers -->"];

const root = dirname(dirname(import.meta.dirname));
const files = sourceFiles();

const table = [...packageTable(), "", ...shapeTable()].join("\n");
if (process.argv.includes("--write")) write(table);
console.log(table);

function packageTable(): string[] {
  const above = functionsAbove();
  const rows = [...Map.groupBy(files, packageOf)].map(([name, own]) => {
    const lines = sum(own.map((file) => linesOf(file)));
    const casts = sum(own.map((file) => castsIn(file)));
    return { name, files: own.length, lines, above: sum(own.map((file) => above.get(file) ?? 0)), casts };
  });
  const all = {
    name: "all",
    files: sum(rows.map((row) => row.files)),
    lines: sum(rows.map((row) => row.lines)),
    above: sum(rows.map((row) => row.above)),
    casts: sum(rows.map((row) => row.casts)),
  };
  return [
    `| Package | Files | Lines | Functions over complexity ${MOST_BRANCHES} | Casts per 1,000 lines |`,
    "| --- | ---: | ---: | ---: | ---: |",
    ...[...rows, all].map(
      (row) =>
        `| ${row.name} | ${row.files} | ${row.lines.toLocaleString("en")} | ${row.above} | ${((row.casts * 1000) / row.lines).toFixed(1)} |`,
    ),
  ];
}

function shapeTable(): string[] {
  const cycles = cyclesOf(importGraph(files));
  const sizes = cycles.map((cycle) => `${cycle.length} files of ${packageOf(cycle[0] ?? "")}`);
  return [
    "| Shape | Number |",
    "| --- | --- |",
    `| Import cycles, types included | ${cycles.length === 0 ? "0" : `${cycles.length} (${sizes.join(", ")})`} |`,
    `| Files outside its folder that name a provider's folder or host (Mistral) | ${namedBy("providers", "mistral", /\/mistral\/|\bmistral\.ai\b/)} |`,
    `| Files outside its folder that name a hook's folder (LangChain's tools) | ${namedBy("hooks", "langchain-tools", /\/langchain-tools\//)} |`,
  ];
}

/** Sources, other than those in its own folder, that name a provider or a hook. */
function namedBy(name: string, folder: string, pattern: RegExp): string {
  const named = files.filter((file) => !file.includes(`/${folder}/`) && pattern.test(read(file)));
  const places = named.map((file) => `\`${file.replace(`packages/${name}/src/`, "")}\``);
  return `${named.length} (${places.join(", ")})`;
}

/** How many functions of a file lint would refuse, if no file were excepted. */
function functionsAbove(): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), "numbers-"));
  try {
    const config = join(folder, "oxlintrc.json");
    const rules = { "eslint/complexity": ["error", { max: MOST_BRANCHES }] };
    writeFileSync(config, JSON.stringify({ categories: { correctness: "off" }, rules }));
    const oxlint = join(root, "node_modules", "oxlint", "bin", "oxlint");
    const { stdout } = spawnSync(process.execPath, [oxlint, "-c", config, "-f", "json", ...files], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string }[] };
    return new Map([...Map.groupBy(diagnostics, ({ filename }) => filename)].map(([file, own]) => [file, own.length]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Type assertions (`x as T`, `<T>x`), but `as const`. */
function castsIn(file: string): number {
  let casts = 0;
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const { type, typeAnnotation } = node as { type?: string; typeAnnotation?: { typeName?: { name?: string } } };
    const isCast = type === "TSAsExpression" || type === "TSTypeAssertion";
    if (isCast && typeAnnotation?.typeName?.name !== "const") casts++;
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(read(file), { lang: file.endsWith(".tsx") ? "tsx" : "ts" }));
  return casts;
}

function write(text: string): void {
  const path = join(root, CONTRIBUTING);
  const before = readFileSync(path, "utf8");
  const [from, to] = [before.indexOf(BEGIN), before.indexOf(END)];
  if (from === -1 || to === -1)
    throw new Error(`${CONTRIBUTING} has no place for the numbers: ${BEGIN.trim()} … ${END}`);
  writeFileSync(path, `${before.slice(0, from)}${BEGIN}\n${text}\n\n${before.slice(to)}`);
}

function packageOf(file: string): string {
  return file.startsWith("packages/") ? (file.split("/")[1] ?? "") : (file.split("/")[0] ?? "");
}

function linesOf(file: string): number {
  return read(file).trimEnd().split("\n").length;
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
