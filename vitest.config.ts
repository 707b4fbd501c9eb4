import { defineConfig } from "vitest/config";
import { heavy, slow } from "./test/slow-files.ts";

// The packages resolve to their TypeScript sources: no test of a package's code needs a build.
// No "module": packages that bundlers read otherwise than Node does must come as Node would load them.
const conditions = ["@reenact/source", "node", "development|production"];
const resolve = { conditions };
const ssr = { resolve: { conditions } };

const quick = process.env["TEST_PART"] === "quick";
const exclude = ["**/node_modules/**", ...(quick ? [...slow, ...heavy] : [])];

function project(name: string, include: string[], timeoutMs: number) {
  const setupFiles = ["./test/seed.ts"];
  return { resolve, ssr, test: { name, include, exclude, setupFiles, testTimeout: timeoutMs, hookTimeout: timeoutMs } };
}

export default defineConfig({
  test: {
    // A recorder patches the process it is in: every test file gets a process of its own.
    pool: "forks",
    // two processors have time for more than two: many tests wait for children and timers, the heavy ones do not
    maxWorkers: quick ? 4 : 2,
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
