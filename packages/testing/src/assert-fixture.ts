import { AssertionError } from "node:assert";
import { judgeReplay } from "./judge-replay.ts";
import type { FixtureReplay, ReplayFixtureOptions } from "./replay/fixture-replay.ts";
import { replay } from "./replay/replay.ts";

/**
 * Replays a fixture and throws an `AssertionError` where the agent does not do what the fixture expects: for `node:test` and any
 * other runner.
 */
export async function assertFixture(
  file: string | URL,
  fn?: (...args: never[]) => unknown,
  options: ReplayFixtureOptions = {},
): Promise<FixtureReplay> {
  const replayed = await replay(file, fn, options);
  const { pass, message } = judgeReplay(replayed);
  if (!pass)
    throw new AssertionError({
      message: withOutput(message, replayed),
      actual: replayed.outcome ?? undefined,
      expected: replayed.fixture.definition?.accepted ?? undefined,
      operator: "assertFixture",
      stackStartFn: assertFixture,
    });
  return replayed;
}

const LINES = 20;

/** A program that broke says why in what it printed. */
export function withOutput(message: string, { printed }: FixtureReplay): string {
  const lines = printed.trimEnd().split("\n").slice(-LINES);
  return printed.trim() === ""
    ? message
    : [message, "the program printed:", ...lines.map((line) => `  ${line}`)].join("\n");
}
