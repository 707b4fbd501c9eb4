import { addDummyKeys, replay as replayFunction, type ReplayReport } from "@reenact/replay";
import { type Fixture, locateFixture, readFixture } from "../fixture/fixture.ts";
import { FixtureError } from "../fixture/fixture-error.ts";
import { judge } from "../fixture/judge.ts";
import { outcomeOf } from "../fixture/outcome.ts";
import type { FixtureReplay, ReplayedFixture, ReplayFixtureOptions } from "./fixture-replay.ts";
import { replayTogether } from "./one-recorder.ts";
import { recordFixture } from "./record-fixture.ts";
import { replayProgram } from "./replay-program.ts";
import { tellResult } from "./tell-result.ts";
import { actionOf, mayCallLive, testMode } from "./test-mode.ts";

// A module of the program may make its client when it is imported, before any replay begins, and clients insist on a key.
// A call with real keys must not see another provider's: Anthropic's client would send two kinds of keys.
if (!mayCallLive(process.env)) addDummyKeys(process.env);

/**
 * Runs the agent as `REENACT_MODE` says: from the record (default), or with real calls, which `record` makes the fixture of.
 *
 * @param file `runs/checkout.fixture.json`, or the path without its ending
 */
export async function replay(
  file: string | URL,
  fn?: (...args: never[]) => unknown,
  options: ReplayFixtureOptions = {},
): Promise<FixtureReplay> {
  const mode = testMode(process.env);
  const files = locateFixture(file);
  const action = actionOf(mode, files, process.env);
  return action === "replay" ? replayFixture(file, fn, options) : recordFixture(files, fn, { mode: action, options });
}

/**
 * Runs the agent again from a recorded run: no key, no network, no side effect. With a function, the function is called in this
 * process; without one the command of the fixture is started.
 *
 * @param file `runs/checkout.fixture.json`, or the path without its ending
 */
export async function replayFixture(
  file: string | URL,
  fn?: (...args: never[]) => unknown,
  options: ReplayFixtureOptions = {},
): Promise<ReplayedFixture> {
  const fixture = readFixture(file);
  const runTools = options.runTools ?? fixture.definition?.runTools ?? [];
  const timeoutMs = options.timeoutMs ?? 60_000;
  if (fn === undefined) {
    const { command } = commandOf(fixture);
    const { report, toolCalls, printed, forget } = await replayProgram(fixture, {
      ...options,
      runTools,
      timeoutMs,
      command,
    });
    // the replay is a run of its own, kept only if it did not pass
    if (judge(fixture, report).pass) forget();
    return resultOf(fixture, report, { toolCalls, printed, output: undefined, error: undefined });
  }
  const { report, toolCalls, output, error } = await replayTogether(() =>
    replayFunction(fixture.envelope, fn, {
      runTools,
      timeoutMs,
      ...(options.input === undefined ? {} : { input: options.input }),
      ...(options.store === undefined ? {} : { vault: { store: options.store } }),
    }),
  );
  const replayed = resultOf(fixture, report, { toolCalls, output, error, printed: "" });
  tellResult(replayed);
  return replayed;
}

function resultOf(
  fixture: Fixture,
  report: ReplayReport,
  rest: Pick<FixtureReplay, "toolCalls" | "output" | "error" | "printed">,
): ReplayedFixture {
  const { verdict, divergence } = report;
  return { fixture, mode: "replay", verdict, divergence, ...rest, outcome: outcomeOf(report), report };
}

function commandOf({ name, definition, definitionFile }: Fixture): { command: string[] } {
  const command = definition?.command ?? null;
  if (command !== null) return { command };
  throw new FixtureError(
    definition === null ? "NO_COMMAND" : "NO_FUNCTION",
    `the fixture ${name} names no command, and no function was given`,
    `replay(file, yourAgent), or add "command" to ${definitionFile}`,
  );
}
