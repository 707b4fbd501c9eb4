// The test run behind `npm test`. Arguments go to vitest: `npm test -- packages/envelope`, `npm test -- --project unit`;
// `--slow` stands for the files that a whole run leaves to .ci/run. The last line is "N passed, N failed" (", N skipped"
// may follow). No test found is a failure. What failed, and why, is repeated before that line with the command that draws the
// same values again, and appended to the file that TEST_FAILURES names: the head of a long output is the first thing a CI system
// cuts off.
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
const report = join(folder, "report.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const result = spawnSync(
  process.execPath,
  [
    vitest,
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...(chosen ? [] : suites.map((name) => `--project=${name}`)),
    ...args,
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, TEST_SCALE: scale, TEST_SEED: seed, TEST_PART: quick ? "quick" : "all" },
  },
);
const summary = readReport();
rmSync(folder, { recursive: true, force: true });

const passed = summary?.numPassedTests ?? 0;
const failed = summary?.numFailedTests ?? 0;
const skipped = (summary?.numPendingTests ?? 0) + (summary?.numTodoTests ?? 0);
const brokenFiles = (summary?.testResults ?? []).filter(
  (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
);

const lines = [];
for (const name of limited ? [] : suites) {
  if (name !== "unit" && globSync(`test/${name}/**/*.test.ts`, { cwd: root }).length === 0) {
    lines.push(`skipped ${name}: it has no test file`);
  }
}
if (quick) lines.push("left to .ci/run, or to `npm test -- <file>`: the slowest files (test/slow-files.ts)");
for (const test of skippedTests()) lines.push(`skipped test: ${test}`);
const broken = [
  ...failedTests(),
  ...brokenFiles.map(({ name, message }) => `failed before its tests ran: ${named(name)}\n${indented(message)}`),
];
if (!summary) broken.push("vitest ended without a report: see its messages above");
else if (passed + failed === 0) broken.push("no test was found: that is a failure");
else if (result.status !== 0 && broken.length === 0) broken.push("vitest failed outside a test: see above");
if (broken.length > 0) broken.push(`to draw the same values again: ${repeat()}`);
lines.push(...broken);
if (process.env.TEST_FAILURES && broken.length > 0) appendFileSync(process.env.TEST_FAILURES, `${broken.join("\n")}\n`);

const ok = result.status === 0 && failed === 0 && brokenFiles.length === 0 && passed > 0;
const failures = failed + brokenFiles.length + (ok || failed + brokenFiles.length > 0 ? 0 : 1);
lines.push(`${passed} passed, ${failures} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.stdout.write(`\n${lines.join("\n")}\n`);
process.exitCode = ok ? 0 : 1;

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return null;
  }
}

/** The command that runs the failed files with the seed of this run. */
function repeat() {
  const files = (summary?.testResults ?? []).filter(({ status }) => status === "failed").map(({ name }) => named(name));
  const size = scale === "small" ? "" : ` TEST_SCALE=${scale}`;
  return `TEST_SEED=${seed}${size} npm test -- ${(files.length > 0 ? files : process.argv.slice(2)).join(" ")}`.trimEnd();
}

function failedTests() {
  return (summary?.testResults ?? []).flatMap(({ name, assertionResults }) =>
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
  const tests = (summary?.testResults ?? []).flatMap((file) => file.assertionResults);
  return tests.filter((test) => ["pending", "skipped", "todo"].includes(test.status)).map((test) => test.fullName);
}
