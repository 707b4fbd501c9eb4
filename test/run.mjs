// The test run behind `npm test`. Arguments go to vitest: `npm test -- packages/envelope`, `npm test -- --project unit`;
// `--slow` stands for the files that a whole run leaves to .ci/run. The last line is "N passed, N failed" (", N skipped"
// may follow). No test found is a failure.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { slow } from "./slow-files.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const suites = ["unit", "e2e", "faults", "services"];
const args = process.argv.slice(2).flatMap((argument) => (argument === "--slow" ? slow : [argument]));
const chosen = args.some((argument) => argument.startsWith("--project"));
const limited = args.length > 0;
const scale = process.env.TEST_SCALE ?? "small";
/** Without arguments, the slowest files are left out: slow-files.ts names them. */
const quick = !limited && scale === "small";

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
  { cwd: root, stdio: "inherit", env: { ...process.env, TEST_SCALE: scale, TEST_PART: quick ? "quick" : "all" } },
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
    lines.push(`skipped ${name}: ${whyEmpty(name)}`);
  }
}
if (quick) lines.push("left to .ci/run, or to `npm test -- <file>`: the slowest files (test/slow-files.ts)");
for (const test of skippedTests()) lines.push(`skipped test: ${test}`);
for (const file of brokenFiles) lines.push(`failed before its tests ran: ${file.name.slice(root.length + 1)}`);
if (!summary) lines.push("vitest ended without a report: see its messages above");
else if (passed + failed === 0) lines.push("no test was found: that is a failure");
else if (result.status !== 0 && failed + brokenFiles.length === 0)
  lines.push("vitest failed outside a test: see above");

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

function whyEmpty(name) {
  if (name === "services") return "there is no test yet that needs a real S3 server, Phoenix, Kafka or PostgreSQL";
  return "it has no test file";
}

function skippedTests() {
  const tests = (summary?.testResults ?? []).flatMap((file) => file.assertionResults);
  return tests.filter((test) => ["pending", "skipped", "todo"].includes(test.status)).map((test) => test.fullName);
}
