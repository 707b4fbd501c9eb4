import type { z } from "zod";
import type {
  demoAnswer,
  planAnswer,
  planBody,
  replayBody,
  replayState,
  testsRun,
  workbenchAnswer,
} from "./project-schema.ts";

export type DemoRun = Omit<z.infer<typeof demoAnswer>, "schemaVersion">;
export type ReplayState = z.infer<typeof replayState>;
export type TestsRun = z.infer<typeof testsRun>;

/** What is not as it was recorded. */
export type ReplayOptions = Pick<z.infer<typeof replayBody>, "runTools" | "set">;

/** The same with real requests. */
export type LiveReplay = Omit<z.infer<typeof planBody>, "run">;
export type ReplayPlan = z.infer<typeof planAnswer>["plan"];
export type LiveBudget = NonNullable<z.infer<typeof workbenchAnswer>["live"]>;

/** Replays runs with the one command that was given when the collector was started, and runs tests of the project; one at a time. */
export interface Workbench {
  /** the command, for people: values that redaction finds are not in it */
  readonly command: string;
  /** Whether a page was opened by the link that was printed at the start. */
  admits(token: string): boolean;
  /** Starts a replay; null: another one still runs. */
  start(run: string, options: ReplayOptions): ReplayState | null;
  /** What live replays from pages may cost; null: there are none. */
  live(): LiveBudget | null;
  /** Describes a replay with real requests; null: another one still runs. Rejects with one line for one that cannot be. */
  plan(run: string, replay: LiveReplay): Promise<ReplayPlan | null>;
  /** Starts what was described, once. "no-plan": it was started, or is too old; null: another one still runs. */
  startPlan(id: string): ReplayState | "no-plan" | null;
  /** One of the last replays; null: there is none of this id. */
  find(id: string): ReplayState | null;
  /** id of the replay that runs; null: none */
  running(): string | null;
  /** Ends a replay and all that it has started. Resolves at once; `find` tells when it has ended. */
  cancel(id: string): void;
  /** Runs tests by the paths that the project gives them; null: they, or a replay, still run. */
  startTests(files: readonly string[]): TestsRun | null;
  /** Records the run of `reenact demo`, and waits for its end; null: something else still runs. */
  recordDemo(): Promise<DemoRun> | null;
  /** The tests that were started last; null: none were. */
  testsRun(): TestsRun | null;
  /** Ends them and all that they have started. Resolves at once. */
  cancelTests(): void;
}
