import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

/** A newcomer follows a way in one sitting. */
const MOST_FILES = 12;

const root = dirname(import.meta.dirname);
const [, chapter = ""] = readFileSync(join(root, "CONTRIBUTING.md"), "utf8").split("## Three ways through the code\n");
const ways = (chapter.split("\n## ")[0] ?? "")
  .split("\n### ")
  .slice(1)
  .map((part) => ({
    title: part.split("\n")[0] ?? "",
    lines: part.split("\n").filter((line) => /^\d+\. /.test(line)),
  }));

test("CONTRIBUTING lists three ways", () => {
  expect(ways).toHaveLength(3);
});

describe.each(ways)("$title", ({ lines }) => {
  test("has few files", () => {
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.length).toBeLessThanOrEqual(MOST_FILES);
  });

  test.each(lines)("%s", (line) => {
    const [, path = "", name = ""] = /^\d+\. `([^`]+)`: `(\w+)` /.exec(line) ?? [];
    expect(existsSync(join(root, path)), path).toBe(true);
    expect(readFileSync(join(root, path), "utf8")).toMatch(
      new RegExp(`^export (?:async )?(?:function|const|class|interface|type) ${name}\\b`, "m"),
    );
  });
});
