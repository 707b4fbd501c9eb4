import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = dirname(import.meta.dirname);
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const [, chapter = ""] = read("packages/envelope/SPEC.md").split(/^## \d+\. Glossary$/m);
const full = new Map(
  [...chapter.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].slice(2).map(([, word = "", text = ""]) => [word, text]),
);
const [, short = ""] = read("AGENTS.md").split("## Glossary\n");
const known = [...short.matchAll(/^- \*\*(.+?)\*\*: (.+)$/gm)].map(([, word = "", text = ""]) => [word, text] as const);

test("each word has one meaning, which SPEC.md and AGENTS.md give alike", () => {
  expect(full.size).toBeGreaterThan(20);
  expect(known.length).toBeGreaterThan(20);
  expect(known.filter(([word, text]) => full.get(word) !== text)).toEqual([]);
});

test("every command calls what it takes for a run a run reference", () => {
  const commands = globSync("packages/cli/src/commands/*.ts", { cwd: root });
  const described = commands.flatMap((file) =>
    [...read(file).matchAll(/\.argument\(\s*"[<[](?:run|before|after)[>\]]",\s*"([^"]+)"/g)].map(
      ([, text = ""]) => text,
    ),
  );
  expect(described.length).toBeGreaterThan(5);
  expect(described.filter((text) => !text.startsWith("run reference"))).toEqual([]);
});
