import type { ReceivedJob } from "../inbound/inbound-job.ts";
import type { AnyFunction } from "./hooked-file.ts";

/** Where a function of the program stands that the runtime of a platform loads. */
export interface HandlerPlace {
  /** absolute path, without the ending that the runtime finds by itself */
  readonly file: string;
  /** in the order in which the runtime tries them; `""`: the path is whole */
  readonly endings: readonly string[];
  /** export of the file */
  readonly name: string;
  /** how people call the function */
  readonly from: string;
}

/** One call of such a function. */
export interface CarriedOut {
  /** what the run comes to: a value, or a promise of it */
  readonly outcome: unknown;
  /** What the platform is given, from the run's outcome as it stands when the run has ended. Default: the outcome itself. */
  give?(settled: unknown): unknown;
}

/**
 * A function of the program's own file that the runtime of a platform loads and calls with one job after another. Each call is a run.
 * The runtime is outside of the recorder's sight: the function is watched where its file is loaded.
 */
export interface HandlerJobs {
  /** what delivers such jobs, as their runs tell it */
  readonly by: string;
  /** as the environment of a process of the platform tells it; null: this process is none */
  place(environment: Readonly<Record<string, string | undefined>>): HandlerPlace | null;
  /** takes what the arguments say of the job, before the program can change them */
  read(given: readonly unknown[], handler: AnyFunction): Pick<ReceivedJob, "name" | "told">;
  /** the arguments for a recorded job */
  given(job: Readonly<Record<string, unknown>>, handler: AnyFunction): readonly unknown[];
  /** Calls the function, once, by `call`. */
  carryOut(call: (given: readonly unknown[]) => unknown, given: readonly unknown[], handler: AnyFunction): CarriedOut;
}
