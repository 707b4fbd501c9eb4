import { type Fixture, FixtureError, judge, type Outcome, replayFixture, withOutput } from "@reenact/testing";

import { fixtureDigest } from "./fixture-digest.ts";
import { runTestFile } from "./run-test-file.ts";

export interface FixtureResult {
  readonly name: string;
  /** path of the definition */
  readonly file: string;
  /** of the fixture when its replay began */
  readonly digest: string;
  /** skipped: the fixture is replayed around a function, which its test file calls */
  readonly status: "passed" | "failed" | "skipped";
  /** for people: the outcome in words; of a failure the cause and the next command too */
  readonly message: string;
  /** why the replay first differs from the recorded run */
  readonly cause: string | null;
  /** id of the run of a replay that did not pass, which the store keeps */
  readonly replay: string | null;
  readonly durationMs: number;
  readonly outcome: Outcome | null;
}

export interface RunOptions {
  /** absolute; without it each fixture has the one that its folder has */
  readonly store?: string;
  readonly timeoutMs: number;
  /** runs the test files of fixtures of functions, too */
  readonly functions?: boolean;
  /** whether the tests are to end: the fixture that runs then has no result */
  readonly isInterrupted?: () => boolean;
}

/** Replays fixtures one after another and tells of each as soon as it is known. */
export async function runFixtures(
  fixtures: readonly Fixture[],
  options: RunOptions,
  told: (result: FixtureResult) => void,
): Promise<FixtureResult[]> {
  const results: FixtureResult[] = [];
  for (const fixture of fixtures) {
    const result = await runFixture(fixture, options);
    if (options.isInterrupted?.() === true) break;
    results.push(result);
    told(result);
  }
  return results;
}

async function runFixture(fixture: Fixture, options: RunOptions): Promise<FixtureResult> {
  const { name, definitionFile: file, definition } = fixture;
  const began = performance.now();
  const digest = fixtureDigest(file);
  const result = (
    status: FixtureResult["status"],
    message: string,
    replayed: Pick<FixtureResult, "cause" | "replay" | "outcome"> = { cause: null, replay: null, outcome: null },
  ): FixtureResult => ({
    name,
    file,
    digest,
    status,
    message,
    ...replayed,
    durationMs: Math.round(performance.now() - began),
  });
  if (definition?.command === null && options.functions === true) {
    const { pass, message, cause, outcome } = await runTestFile(fixture, options);
    return result(pass ? "passed" : "failed", message, { cause, replay: null, outcome });
  }
  if (definition?.command === null)
    return result("skipped", `${name}: calls a function of the project: run its test file with your test runner`);
  try {
    const { store, timeoutMs } = options;
    const replayed = await replayFixture(file, undefined, { timeoutMs, ...(store !== undefined && { store }) });
    const { report, outcome } = replayed;
    const { pass, message } = judge(fixture, report);
    if (pass) return result("passed", message, { cause: null, replay: null, outcome });
    const cause = report.divergence?.cause ?? report.stopped?.message ?? null;
    return result("failed", withOutput(message, replayed), { cause, replay: report.run, outcome });
  } catch (error) {
    if (error instanceof FixtureError) return result("failed", `${name}: ${error.message}`);
    throw error;
  }
}
