import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fixture, TOLD_VARIABLE } from "@reenact/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runTestFile } from "./run-test-file.ts";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(realpathSync(tmpdir()), "reenact-run-test-file-"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const TELLS = `appendFileSync(process.env.${TOLD_VARIABLE}, JSON.stringify({
  file: join(import.meta.dirname, "refund.fixture.json"), pass: true, message: "refund: identical", cause: null, outcome: {},
}) + "\\n");`;

/** The fixture `refund` in a folder of the project, with a test file of this body. */
function fixtureIn(folder: string, body: string): Fixture {
  const into = join(project, folder);
  mkdirSync(into, { recursive: true });
  const imports = [
    'import { appendFileSync } from "node:fs";',
    'import { join } from "node:path";',
    'import { test } from "node:test";',
  ].join("\n");
  writeFileSync(join(into, "refund.test.mjs"), `${imports}\ntest("refund", async () => {\n${body}\n});\n`);
  writeFileSync(join(into, "refund.fixture.json"), "{}");
  return { name: "refund", folder: project, definitionFile: join(into, "refund.fixture.json") } as Fixture;
}
const run = (fixture: Fixture, timeoutMs = 10_000, startingMs?: number) =>
  runTestFile(fixture, { timeoutMs }, startingMs);

test("a test file passes in a folder whose name has characters of a pattern", async () => {
  expect(await run(fixtureIn("app/[id]", TELLS))).toMatchObject({ pass: true, message: "refund: identical" });
});

test("a test file is known by its folder, whichever link leads there", async () => {
  const fixture = fixtureIn("app", TELLS);
  symlinkSync(join(project, "app"), join(project, "link"));
  const definitionFile = join(project, "link/refund.fixture.json");
  expect(await run({ ...fixture, definitionFile })).toMatchObject({ pass: true });
});

test("a line that was cut off is no result, and does not end the tests", async () => {
  const cut = `appendFileSync(process.env.${TOLD_VARIABLE}, '{"file": "');process.exit(3);`;
  expect(await run(fixtureIn("app", cut))).toMatchObject({ pass: false, outcome: null });
});

test("a test file that fails says so in its first line, and one that does not end says after how long", async () => {
  const failed = await run(fixtureIn("app", 'throw new Error("no such order")'));
  expect(failed.message).toMatch(/^refund: its test file fails\n/);
  expect(failed.message).toContain("no such order");
  const endless = await run(fixtureIn("app", "for (;;);"), 500, 500);
  expect(endless.message).toMatch(/^refund: its test file did not end within 1\.0 s/);
});
