import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** The latest majors known to us: raise them together with the devDependencies. */
const MAJORS = { openai: 7, "@anthropic-ai/sdk": 1 };

function manifest(path: string): { version: string; devDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as ReturnType<typeof manifest>;
}

test.each(Object.entries(MAJORS))("%s is asked for and installed at major %i", (name, major) => {
  expect(manifest("").devDependencies[name]).toMatch(new RegExp(`^\\^${major}\\.`));
  expect(Number(manifest(join("node_modules", name)).version.split(".")[0])).toBe(major);
});
