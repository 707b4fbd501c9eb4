import { type Fixture, FixtureError, judge, type Outcome, replayFixture, withOutput } from "@reenact/testing";

export interface FixtureResult {
  readonly name: string;
  /** path of the definition */
  readonly file: string;
  /** skipped: the fixture is replayed around a function, which its test file calls */
  readonly status: "passed" | "failed" | "skipped";
  /** for people: the outcome in words; of a failure the cause and the next command too */
  readonly message: string;
  readonly durationMs: number;
  readonly outcome: Outcome | null;
}

/** Replays fixtures one after another and tells of each as soon as it is known. */
export async function runFixtures(
  fixtures: readonly Fixture[],
  options: { store?: string; timeoutMs: number },
  told: (result: FixtureResult) => void,
): Promise<FixtureResult[]> {
  const results: FixtureResult[] = [];
  for (const fixture of fixtures) {
    const result = await runFixture(fixture, options);
    results.push(result);
    told(result);
  }
  return results;
}

async function runFixture(fixture: Fixture, options: { store?: string; timeoutMs: number }): Promise<FixtureResult> {
  const { name, definitionFile: file, definition } = fixture;
  const began = performance.now();
  const result = (status: FixtureResult["status"], message: string, outcome: Outcome | null = null): FixtureResult => ({
    name,
    file,
    status,
    message,
    durationMs: Math.round(performance.now() - began),
    outcome,
  });
  if (definition?.command === null)
    return result("skipped", `${name}: calls a function of the project: run its test file with your test runner`);
  try {
    const replayed = await replayFixture(file, undefined, options);
    const { pass, message } = judge(fixture, replayed.report);
    return result(pass ? "passed" : "failed", pass ? message : withOutput(message, replayed), replayed.outcome);
  } catch (error) {
    if (error instanceof FixtureError) return result("failed", `${name}: ${error.message}`);
    throw error;
  }
}
