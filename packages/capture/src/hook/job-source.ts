import type { ReceivedJob } from "../inbound/inbound-job.ts";
import type { AnyFunction, HookedFile } from "./hooked-file.ts";

/**
 * A class whose instances hand jobs to a function of the program, one after another: messages of a queue, ticks of a schedule,
 * events. Each job is a run. What the library itself does to get them is none of the program's.
 */
export interface JobSource {
  /** what delivers such jobs, as their runs tell it */
  readonly by: string;
  /** method that begins to hand them out */
  readonly begins: string;
  /** method that calls the program's function with one job, and returns what that returns */
  readonly carriesOut: string;
  /** `carriesOut` is no method of the class but a function that each instance has, when it begins */
  readonly isOwn?: boolean;
  /** name of such a function, where instances differ in it */
  carriedOutBy?(instance: object): string;
  /** in a replay: stops what an instance that has begun would hand out by itself */
  still?(instance: object): void;
  /** the queue or schedule that an instance hands out; null: its jobs are carried out elsewhere */
  from(instance: object): string | null;
  /**
   * Takes what the arguments of `carriesOut` say of the job, before the program can change them: its name, and what tells it as
   * plain data from which `given` makes them again. null: it is none.
   */
  read(given: readonly unknown[], instance: object): Pick<ReceivedJob, "name" | "told"> | null;
  /** the arguments of `carriesOut` for a recorded job */
  given(job: Readonly<Record<string, unknown>>, instance: object): readonly unknown[];
  /** classes by which the library reaches its service */
  readonly services?: readonly JobService[];
}

/**
 * A class by which a library that hands out jobs reaches its service. What a job asks of it is a step of the job's run; all else is
 * the library's own work, which is no step. A replay does none of it.
 */
export interface JobService extends HookedFile {
  /** methods that are no steps, and do not return in a replay: what waits for jobs, and tells how they ended */
  readonly own: readonly string[];
  /** methods that are no steps, and return at once in a replay: what opens and closes */
  readonly atOnce?: readonly string[];
  /** methods like `atOnce` that resolve to their instance */
  readonly atOnceItself?: readonly string[];
  /** whether all other asynchronous methods are steps */
  readonly others?: ServiceCalls & {
    /** the methods, where they are not those that are declared to be asynchronous */
    readonly methods?: readonly string[];
    /** methods that resolve to an object whose own methods are steps */
    readonly objects?: Readonly<Record<string, ServiceObject>>;
  };
}

/** What a program asks of a service, each call a step. */
export interface ServiceCalls {
  /** name of the kind of database, as in `db.system.name` */
  readonly system: string;
  /** arguments that are recorded and compared */
  args(given: readonly unknown[]): readonly unknown[];
  /** methods whose answers outside of every run are not kept for a replay: they hand out what the runs are about */
  readonly notKept?: readonly string[];
  /** what methods return in a replay outside of every run, whose answers are not kept */
  readonly outside?: Readonly<Record<string, () => unknown>>;
}

/** An object that a call of a service makes, such as a transaction. */
export interface ServiceObject {
  /** methods that are steps */
  readonly methods: readonly string[];
  /** synchronous methods that return a boolean */
  readonly flags: readonly string[];
}

/** Gives a function to call in place of `real`, each call of which is a step named `method`. */
export type WatchCall = (method: string, real: AnyFunction, calls: ServiceCalls) => AnyFunction;
