import type { JobValue, ReceivedJob } from "../inbound/inbound-job.ts";
import type { JobService } from "./job-source.ts";

/**
 * A class with a method that takes a function of the program, and calls it with each job of a queue. Each such call is a run. What
 * the library itself does to get the jobs is none of the program's.
 */
export interface JobTaker {
  /** what delivers such jobs, as their runs tell it */
  readonly by: string;
  /** the method that takes the function. A replay does not call it, and delivers the recorded job itself */
  readonly takes: string;
  /** place of the function among the arguments of `takes` */
  at(given: readonly unknown[]): number;
  /** the queue that the arguments of `takes` name; null: its jobs are not recorded as runs, which is said once */
  from(given: readonly unknown[]): string | null;
  /** why they are not, where `from` is null */
  readonly whyNot: string;
  /** what `takes` resolves to in a replay */
  taken(): unknown;
  /** Takes what the arguments of the function say of the job, before the program can change them. */
  read(given: readonly unknown[]): Pick<ReceivedJob, "name" | "told">;
  /** the arguments of the function for a recorded job */
  given(job: JobValue["job"]): readonly unknown[];
  /** classes by which the library reaches its service */
  readonly services?: readonly JobService[];
}
