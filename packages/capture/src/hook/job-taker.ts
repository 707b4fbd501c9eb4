import type { JobValue, ReceivedJob } from "../inbound/inbound-job.ts";
import type { AnyFunction } from "./hooked-file.ts";
import type { JobService, WatchCall } from "./job-source.ts";

interface HeldFunction {
  readonly run: AnyFunction;
  with(run: AnyFunction): readonly unknown[];
}

/** As `held`, where the function is an argument itself. */
export function argumentAt(given: readonly unknown[], at: number): HeldFunction | null {
  const run = given[at];
  return typeof run === "function" ? { run: run as AnyFunction, with: (other) => given.with(at, other) } : null;
}

/**
 * A class with a method that takes a function of the program, and calls it with each job of a queue. Each such call is a run. What
 * the library itself does to get the jobs is none of the program's.
 */
export interface JobTaker {
  /** what delivers such jobs, as their runs tell it */
  readonly by: string;
  /** the method that takes the function. A replay does not call it, and delivers the recorded job itself */
  readonly takes: string;
  /** The function among the arguments of `takes`, and the arguments with another one in its place; null: there is none. */
  held(given: readonly unknown[]): HeldFunction | null;
  /** the queue that the arguments of `takes` name; null: its jobs are not recorded as runs, which is said once */
  from(given: readonly unknown[]): string | null;
  /** why they are not, where `from` is null */
  readonly whyNot: string;
  /** what `takes` resolves to in a replay */
  taken(): unknown;
  /** Takes what the arguments of the function say of the job, before the program can change them. */
  read(given: readonly unknown[]): Pick<ReceivedJob, "name" | "told">;
  /** the arguments of the function, with what the library gives it there to call; absent: as they are */
  bound?(given: readonly unknown[], watch: WatchCall): readonly unknown[];
  /** the arguments of the function for a recorded job */
  given(job: JobValue["job"]): readonly unknown[];
  /** classes by which the library reaches its service */
  readonly services?: readonly JobService[];
}
