import { createRequire } from "node:module";
import type { GivenHeader } from "./given-header.ts";
import type { LiveOptions } from "../live/live-options.ts";
import type { GivenResult } from "../tape/given-results.ts";

export type Mode = "strict" | "observe";

/** The options of a replay; passed to the child process as one JSON file. */
export interface ReplayPlan {
  v: 1;
  /** path of the envelope to replay, and of other runs of the same process to serve beside it */
  envelope: string;
  siblings: string[];
  /** these are all that the process had, unless their numbers have a gap */
  hasSiblings: boolean;
  mode: Mode;
  /** tools whose bodies run although a record exists */
  runTools: string[];
  /** tools that are served although they have inner steps */
  serveTools: string[];
  allowUnrecordedTools: boolean;
  /** which calls are real; null: none */
  live: LiveOptions | null;
  /** number of the recorded step behind whose answer the replay ends, from 0; null: none */
  until: number | null;
  /** number of the first recorded step that is compared, from 0 */
  from: number;
  /** what calls return instead of what was recorded */
  givenResults: readonly GivenResult[];
  /**
   * whether the recorded `agent()`, request or job of a program that waits is called with its recorded arguments, or sent, and whether the earlier ones
   * of its process, or session, are called first
   */
  call: "none" | "cold" | "warm";
  /** pid of the process that has started this replay */
  startedBy: number;
  /** headers that the caller gives a recorded request */
  headers: readonly GivenHeader[];
  /** variables of the caller that stand for recorded ones, and those of his that do not though they differ */
  ownVariables: string[];
  unusedVariables: string[];
  /** how many variables of the caller a program does not see that has listed its environment when it was recorded */
  hiddenVariables: number;
  /** where the child writes its report */
  report: string;
  /** file to which each call is appended as it comes, one line of JSON; null: none */
  progress: string | null;
  /** where the originals of redacted values are looked for; null: they are not wanted */
  vault: { store: string; file?: string; key?: string } | null;
  /** folder for copies of files and databases that the agent writes */
  scratch: string;
  /** store of the run that this replay is */
  store: string;
}

export const PLAN_VARIABLE = "REENACT_REPLAY_PLAN";

/** Path of the module that a replayed process, and each of its threads, is started with. */
export const preloadPath = (): string => createRequire(import.meta.url).resolve("@reenact/replay/register");
