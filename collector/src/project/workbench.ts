import type { z } from "zod";
import type { replayBody, replayState } from "./project-schema.ts";

export type ReplayState = z.infer<typeof replayState>;

/** What is not as it was recorded. */
export type ReplayOptions = Pick<z.infer<typeof replayBody>, "runTools" | "set">;

/** Replays runs with the one command that was given when the collector was started. */
export interface Workbench {
  /** the command, for people: values that redaction finds are not in it */
  readonly command: string;
  /** Whether a page was opened by the link that was printed at the start. */
  admits(token: string): boolean;
  /** Starts a replay; null: another one still runs. */
  start(run: string, options: ReplayOptions): ReplayState | null;
  /** One of the last replays; null: there is none of this id. */
  find(id: string): ReplayState | null;
  /** id of the replay that runs; null: none */
  running(): string | null;
  /** Ends a replay and all that it has started. Resolves at once; `find` tells when it has ended. */
  cancel(id: string): void;
}
