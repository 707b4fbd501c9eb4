import { appendFileSync } from "node:fs";
import type { Outcome } from "../fixture/fixture.ts";
import { judge } from "../fixture/judge.ts";
import type { ReplayedFixture } from "./fixture-replay.ts";

/** Names a file that gets a line of JSON for each fixture that was replayed around a function: `reenact test --functions` reads it. */
export const TOLD_VARIABLE = "REENACT_TOLD_RESULTS";

export interface ToldResult {
  /** absolute path of the definition */
  readonly file: string;
  /** whether the agent did what the fixture expects */
  readonly pass: boolean;
  /** for people: the outcome in words; of a failure the cause too */
  readonly message: string;
  /** why the replay first differs from the recorded run */
  readonly cause: string | null;
  readonly outcome: Outcome;
}

/** Tells the command that has started the tests what came of a fixture; nobody, where no command waits for it. */
export function tellResult({ fixture, report, outcome }: ReplayedFixture): void {
  const told = process.env[TOLD_VARIABLE] ?? "";
  if (told === "") return;
  const { pass, message } = judge(fixture, report);
  const cause = pass ? null : (report.divergence?.cause ?? report.stopped?.message ?? null);
  const result: ToldResult = { file: fixture.definitionFile, pass, message, cause, outcome };
  appendFileSync(told, `${JSON.stringify(result)}\n`, { mode: 0o600 });
}
