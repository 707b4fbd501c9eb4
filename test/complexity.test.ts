import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

interface LintConfig {
  overrides: { files: string[]; rules: Record<string, unknown> }[];
}

const RULE = "eslint/complexity";
const root = dirname(import.meta.dirname);
const { overrides } = JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8")) as LintConfig;
const [limit, none] = overrides.filter(({ rules }) => RULE in rules);
const excepted = none!.files.filter((file) => !file.includes("*"));

test("a file is excepted from the complexity limit only while it has a function above it", () => {
  const above = filesAbove(excepted, limit!.rules[RULE]);
  expect(excepted.filter((file) => !above.has(file))).toEqual([]);
});

test("a function above the limit is found", () => {
  const folder = mkdtempSync(join(tmpdir(), "complexity-"));
  try {
    const file = join(folder, "branches.ts");
    const branches = Array.from({ length: 15 }, (_, n) => `if (n === ${n}) return ${n};`).join("\n");
    writeFileSync(file, `export function branches(n: number): number {\n${branches}\nreturn -1;\n}\n`);
    expect([...filesAbove([file], limit!.rules[RULE])]).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Files with a function that the rule refuses. */
function filesAbove(files: readonly string[], rule: unknown): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), "oxlint-"));
  try {
    const config = join(folder, "oxlintrc.json");
    writeFileSync(config, JSON.stringify({ categories: { correctness: "off" }, rules: { [RULE]: rule } }));
    const oxlint = join(root, "node_modules", "oxlint", "bin", "oxlint");
    const { stdout } = spawnSync(process.execPath, [oxlint, "-c", config, "-f", "json", ...files], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string }[] };
    return new Set(diagnostics.map(({ filename }) => filename));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
