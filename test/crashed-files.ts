import { writeFileSync } from "node:fs";
import type { SerializedError } from "vitest";
import type { Reporter } from "vitest/node";

/** What this reporter writes to the file that `TEST_CRASHED` names. */
export interface Crashes {
  /** Absolute paths of test files whose process V8 ended with a failed check of its own (SIGTRAP). */
  readonly files: string[];
  /** The messages of all other errors outside of tests. */
  readonly others: string[];
}

const CRASH = /^Worker exited unexpectedly with signal SIGTRAP during \w+ state while running test file (.+)$/;

/** Vitest names the signal that ended a test's process in its errors alone, not in its report. */
export default class CrashReporter implements Reporter {
  onTestRunEnd(_: unknown, errors: readonly SerializedError[]): void {
    const messages = errors.map(({ message, cause }) => (cause as SerializedError | undefined)?.message ?? message);
    const crashes: Crashes = {
      files: messages.flatMap((message) => CRASH.exec(message)?.[1] ?? []),
      others: messages.filter((message) => !CRASH.test(message)),
    };
    if (process.env["TEST_CRASHED"]) writeFileSync(process.env["TEST_CRASHED"], JSON.stringify(crashes));
  }
}
