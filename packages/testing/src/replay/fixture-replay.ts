import type { ReplayReport, ToolCall } from "@reenact/replay";
import type { Fixture, Outcome } from "../fixture/fixture.ts";

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

/** What the agent did for a fixture. */
export interface FixtureReplay {
  readonly fixture: Fixture;
  /** `record` and `live`: with real calls, so there is nothing to compare with */
  readonly mode: "replay" | "record" | "live";
  readonly verdict: ReplayReport["verdict"] | "record" | "live";
  readonly divergence: ReplayReport["divergence"];
  /** calls of recorded tools in this replay, in the order of their start; arguments are redacted */
  readonly toolCalls: readonly ToolCall[];
  /** what the function returned; undefined for a command */
  readonly output: unknown;
  /** what the function threw; undefined for a command */
  readonly error: unknown;
  /** what the command printed; empty for a function */
  readonly printed: string;
  /** null without a replay */
  readonly outcome: Outcome | null;
  /** null without a replay */
  readonly report: ReplayReport | null;
}

/** A `FixtureReplay` from the record, whatever the mode. */
export type ReplayedFixture = FixtureReplay & { readonly outcome: Outcome; readonly report: ReplayReport };
