import { addDummyKeys, replay as replayFunction, type ReplayReport, type ToolCall } from "@reenact/replay";
import { type Fixture, type Outcome, readFixture } from "../fixture/fixture.ts";
import { FixtureError } from "../fixture/fixture-error.ts";
import { judge } from "../fixture/judge.ts";
import { outcomeOf } from "../fixture/outcome.ts";
import { replayProgram } from "./replay-program.ts";

// A module of the program may make its client when it is imported, before any replay begins, and clients insist on a key.
addDummyKeys(process.env);

export interface ReplayFixtureOptions {
  /** milliseconds after which a replay is ended; default 60,000 */
  timeoutMs?: number;
  /** tools whose bodies run although the record has their results; default: those of the fixture */
  runTools?: string[];
  /** arguments for the function; default: those of the recorded call */
  input?: unknown[];
  /** folder of the store with the project's key and vault; default: `.reenact` in the folder of the command, or `REENACT_STORE` */
  store?: string;
}

/** What a replay of a fixture did. */
export interface FixtureReplay {
  readonly fixture: Fixture;
  readonly verdict: ReplayReport["verdict"];
  readonly divergence: ReplayReport["divergence"];
  /** calls of recorded tools in this replay, in the order of their start; arguments are redacted */
  readonly toolCalls: readonly ToolCall[];
  /** what the function returned; undefined for a command */
  readonly output: unknown;
  /** what the function threw; undefined for a command */
  readonly error: unknown;
  /** what the command printed; empty for a function */
  readonly printed: string;
  readonly outcome: Outcome;
  readonly report: ReplayReport;
}

/**
 * Runs the agent again from a recorded run: no key, no network, no side effect. With a function, the function is called in this
 * process; without one the command of the fixture is started.
 *
 * @param file `runs/checkout.fixture.json`, or the path without its ending
 */
export async function replay(
  file: string | URL,
  fn?: (...args: never[]) => unknown,
  options: ReplayFixtureOptions = {},
): Promise<FixtureReplay> {
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
  const { report, toolCalls, output, error } = await replayFunction(fixture.envelope, fn, {
    runTools,
    timeoutMs,
    ...(options.input === undefined ? {} : { input: options.input }),
    ...(options.store === undefined ? {} : { vault: { store: options.store } }),
  });
  return resultOf(fixture, report, { toolCalls, output, error, printed: "" });
}

function resultOf(
  fixture: Fixture,
  report: ReplayReport,
  rest: Pick<FixtureReplay, "toolCalls" | "output" | "error" | "printed">,
): FixtureReplay {
  const { verdict, divergence } = report;
  return { fixture, verdict, divergence, ...rest, outcome: outcomeOf(report), report };
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
