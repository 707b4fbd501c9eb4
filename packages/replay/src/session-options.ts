import type { LiveOptions } from "./live/live-options.ts";
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
  /** which calls are real; default: none */
  live?: LiveOptions | null;
  /** gets the US dollars that are spent whenever they grow */
  keepSpent?(usd: number): void;
  /** number of the recorded step behind whose answer the replay ends, from 0; default: none */
  until?: number | null;
  /** number of the first recorded step that is compared, from 0; default: all are */
  from?: number;
  /** ends the replay at once; never returns in a process of its own */
  stop(reason: NonNullable<ReplayReport["stopped"]>): void;
}
