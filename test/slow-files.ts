/** A whole `npm test` is to end within five minutes: these are left to `.ci/run` (`node test/run.mjs --slow`), and to naming them. */
export const slow = [
  "packages/redaction/src/scan-time.test.ts",
  "packages/redaction/src/scan-work.test.ts",
  "test/e2e/canaries.test.ts",
  "test/e2e/cli-data.test.ts",
  "test/e2e/cli-errors.test.ts",
  "test/e2e/collector-program.test.ts",
  "test/e2e/divergence-ends.test.ts",
  "test/e2e/divergence-nested.test.ts",
  "test/e2e/input.test.ts",
  "test/e2e/policy-runs.test.ts",
  "test/e2e/rehydrate-edges.test.ts",
  "test/e2e/rehydrate.test.ts",
  "test/e2e/sender-answers.test.ts",
  "test/e2e/sender.test.ts",
  "test/e2e/server-commands.test.ts",
  "test/e2e/typescript-runners.test.ts",
  "test/e2e/watch.test.ts",
  "test/redaction-proof/async-detectors.test.ts",
];

/** These, too, and `.ci/run` runs them at its own size. */
export const heavy = [
  "collector/src/journal/crash.test.ts",
  "test/e2e/agents.test.ts",
  "test/e2e/attached-programs.test.ts",
  "test/e2e/order.test.ts",
  "test/e2e/random-agents.test.ts",
  "test/e2e/rules.test.ts",
  "test/e2e/scenarios-transparent.test.ts",
  "test/faults/collector-kill.test.ts",
  "test/faults/collector-memory.test.ts",
  "test/faults/endings.test.ts",
  "test/faults/kill.test.ts",
  "test/faults/marks-kill.test.ts",
  "test/faults/sealer.test.ts",
  "test/faults/sender-kill.test.ts",
];
