import { defineConfig } from "vitest/config";

// The packages resolve to their TypeScript sources: no test of a package's code needs a build.
// No "module": packages that bundlers read otherwise than Node does must come as Node would load them.
const conditions = ["@reenact/source", "node", "development|production"];
const resolve = { conditions };
const ssr = { resolve: { conditions } };

// A whole `npm test` is to end within five minutes: these are run by `.ci/run`, and by naming them.
const slow = [
  "collector/src/journal/crash.test.ts",
  "packages/redaction/src/scan-time.test.ts",
  "test/e2e/attached-programs.test.ts",
  "test/e2e/cli-errors.test.ts",
  "test/e2e/divergence-ends.test.ts",
  "test/e2e/divergence-nested.test.ts",
  "test/e2e/order.test.ts",
  "test/e2e/policy-runs.test.ts",
  "test/e2e/rehydrate-edges.test.ts",
  "test/e2e/rules.test.ts",
  "test/e2e/scenarios-transparent.test.ts",
  "test/e2e/server-commands.test.ts",
  "test/e2e/typescript-runners.test.ts",
];
const exclude = ["**/node_modules/**", ...(process.env["TEST_PART"] === "quick" ? slow : [])];

function project(name: string, include: string[], timeoutMs: number) {
  return { resolve, ssr, test: { name, include, exclude, testTimeout: timeoutMs, hookTimeout: timeoutMs } };
}

export default defineConfig({
  test: {
    // A recorder patches the process it is in: every test file gets a process of its own.
    pool: "forks",
    maxWorkers: 2,
    projects: [
      project(
        "unit",
        [
          "packages/*/src/**/*.test.ts",
          "collector/src/**/*.test.ts",
          "examples/**/*.test.ts",
          "test/!(e2e|faults|services|bench)/**/*.test.ts",
          "test/*.test.ts",
        ],
        20_000,
      ),
      project("e2e", ["test/e2e/**/*.test.ts"], 120_000),
      project("faults", ["test/faults/**/*.test.ts"], 300_000),
      project("services", ["test/services/**/*.test.ts"], 120_000),
    ],
  },
});
