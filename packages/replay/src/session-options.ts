import type { ReplayReport } from "./verdict/replay-report.ts";
import type { Tape } from "./tape/tape.ts";

export interface SessionOptions {
  target: Tape;
  /** other runs of the same process, served from their own records */
  siblings: Tape[];
  /** all runs of the recorded process are at hand, unless their numbers have a gap */
  hasSiblings: boolean;
  mode: "strict" | "observe";
  runTools: string[];
  serveTools: string[];
  /** the caller gives the agent arguments of its own */
  otherInput?: boolean;
  allowUnrecordedTools: boolean;
  /** ends the replay at once; never returns in a process of its own */
  stop(reason: NonNullable<ReplayReport["stopped"]>): void;
}
