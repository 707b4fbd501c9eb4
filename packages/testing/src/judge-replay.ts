import { judge, type Judgement } from "./fixture/judge.ts";
import type { FixtureReplay } from "./replay/fixture-replay.ts";

/** Whether the agent did what is expected. With real calls there is no record to compare with: then it must not have thrown. */
export function judgeReplay({ fixture, mode, report, error }: FixtureReplay): Judgement {
  if (report !== null) return judge(fixture, report);
  const why = error instanceof Error ? error.message : String(error);
  return error === undefined
    ? { pass: true, message: `${fixture.name}: REENACT_MODE=${mode}: not compared with a record` }
    : { pass: false, message: `${fixture.name}: REENACT_MODE=${mode}: the agent threw: ${why}` };
}
