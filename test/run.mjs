// The test run behind `npm test`. Arguments go to vitest: `npm test -- packages/envelope`, `npm test -- --project unit`;
// `--slow` stands for the files that a whole run leaves to .ci/run. The last line is "N passed, N failed" (", N skipped"
// may follow). No test found is a failure. What failed, and why, is repeated before that line with the command that draws the
// same values again, and appended to the file that TEST_FAILURES names: the head of a long output is the first thing a CI system
// cuts off. A file whose process V8 ended by a failed check of its own (SIGTRAP) is run once more, and a line says so.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { appendFileSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { slow } from "./slow-files.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const suites = ["unit", "e2e", "faults", "services"];
const args = process.argv.slice(2).flatMap((argument) => (argument === "--slow" ? slow : [argument]));
const chosen = args.some((argument) => argument.startsWith("--project"));
const limited = args.length > 0;
const scale = process.env.TEST_SCALE ?? "small";
/** Without arguments, the slowest files are left out: slow-files.ts names them. */
const quick = !limited && scale === "small";
/** Of all values that tests draw; new in each run. */
const seed = process.env.TEST_SEED || String(randomInt(2 ** 31));

const folder = mkdtempSync(join(tmpdir(), "reenact-test-"));
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const first = runVitest("first", [...(chosen ? [] : suites.map((name) => `--project=${name}`)), ...args]);
const crashed = first.crashes.files;
const again = crashed.length > 0 ? runVitest("again", crashed.map(named)) : null;
rmSync(folder, { recursive: true, force: true });
/** Results of all files; null: vitest ended without a report. */
const results = first.results && [
  ...first.results.filter(({ name }) => !crashed.includes(name)),
  ...(again?.results ?? first.results.filter(({ name }) => crashed.includes(name))),
];
const tests = (results ?? []).flatMap((file) => file.assertionResults);
const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
/** Errors outside of tests, and whatever else vitest ends with 1 for. */
const failedOutside = again ? again.status !== 0 || first.crashes.others.length > 0 : first.status !== 0;

const passed = count("passed");
const failed = count("failed");
const skipped = count("pending", "skipped", "todo");
const brokenFiles = (results ?? []).filter(
  (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
);

const lines = [];
for (const name of limited ? [] : suites) {
  if (name !== "unit" && globSync(`test/${name}/**/*.test.ts`, { cwd: root }).length === 0) {
    lines.push(`skipped ${name}: it has no test file`);
  }
}
if (quick) lines.push("left to .ci/run, or to `npm test -- <file>`: the slowest files (test/slow-files.ts)");
for (const file of crashed) lines.push(`V8 ended the process of ${named(file)} (SIGTRAP); it was run once more`);
for (const test of skippedTests()) lines.push(`skipped test: ${test}`);
const broken = [
  ...failedTests(),
  ...brokenFiles.map(({ name, message }) => `failed before its tests ended: ${named(name)}\n${indented(message)}`),
  ...[first, ...(again ? [again] : [])].flatMap(({ crashes }) => crashes.others.map(indented)),
];
if (!results) broken.push("vitest ended without a report: see its messages above");
else if (passed + failed === 0) broken.push("no test was found: that is a failure");
else if (failedOutside && broken.length === 0) broken.push("vitest failed outside a test: see above");
if (broken.length > 0) broken.push(`to draw the same values again: ${repeat()}`);
lines.push(...broken);
if (process.env.TEST_FAILURES && broken.length > 0) appendFileSync(process.env.TEST_FAILURES, `${broken.join("\n")}\n`);

const ok = !failedOutside && failed === 0 && brokenFiles.length === 0 && passed > 0;
const failures = failed + brokenFiles.length + (ok || failed + brokenFiles.length > 0 ? 0 : 1);
lines.push(`${passed} passed, ${failures} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.stdout.write(`\n${lines.join("\n")}\n`);
process.exitCode = ok ? 0 : 1;

function runVitest(name, its) {
  const report = join(folder, `${name}.json`);
  const crashes = join(folder, `${name}.crashes.json`);
  const reporters = ["default", "json", "./test/crashed-files.ts"].map((reporter) => `--reporter=${reporter}`);
  const { status } = spawnSync(process.execPath, [vitest, "run", ...reporters, `--outputFile.json=${report}`, ...its], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      TEST_SCALE: scale,
      TEST_SEED: seed,
      TEST_PART: quick ? "quick" : "all",
      TEST_CRASHED: crashes,
    },
  });
  return {
    status,
    results: readJson(report)?.testResults ?? null,
    crashes: readJson(crashes) ?? { files: [], others: [] },
  };
}

/** null: no such file, or it is cut off. */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/** The command that runs the failed files with the seed of this run. */
function repeat() {
  const files = (results ?? []).filter(({ status }) => status === "failed").map(({ name }) => named(name));
  const size = scale === "small" ? "" : ` TEST_SCALE=${scale}`;
  return `TEST_SEED=${seed}${size} npm test -- ${(files.length > 0 ? files : process.argv.slice(2)).join(" ")}`.trimEnd();
}

function failedTests() {
  return (results ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map((test) => `failed: ${named(name)}: ${test.fullName}\n${indented(test.failureMessages.join("\n"))}`),
  );
}

function named(file) {
  return file.slice(root.length + 1);
}

/** The head of a message: a difference between two long texts can be pages. */
function indented(message) {
  const lines = stripVTControlCharacters(message ?? "").split("\n");
  const head = lines.filter((line) => !line.includes("/node_modules/vitest/")).slice(0, 25);
  return head.map((line) => `    ${line.slice(0, 300)}`).join("\n");
}

function skippedTests() {
  return tests.filter((test) => ["pending", "skipped", "todo"].includes(test.status)).map((test) => test.fullName);
}
