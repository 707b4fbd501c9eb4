import type { Address, Answer, Content } from "./answer.ts";
import type { Gate } from "./gate.ts";
import type { Step } from "../span/step.ts";

/** Kinds of draws: Date, performance, random, uuid, bytes, hrtime, integer, uptime, measure of the machine, bound of an integer. */
export type DrawKind = "D" | "P" | "R" | "U" | "B" | "H" | "N" | "T" | "M" | "G";

/** What has creation numbers: timers, ordered operations, results of `agent()` calls that are runs of their own. */
export type NumberedKind = "t" | "o" | "a";

/**
 * Answers the steps and draws of one run: live, or from a record. The shell that the agent sees (promises, responses,
 * streams, timers) is the same code over either. Only replay has another source than the live one.
 */
export interface Source {
  readonly gate: Gate;
  /** true: timers never sleep; the gate fires them */
  readonly virtualTimers: boolean;
  /**
   * Synchronously, when the call is made. May renumber the step to its recorded number. `content` is null while the
   * bytes of a form or a stream are still being read; `late` is called with it then. `address`: of such a request, if it is
   * known at the call.
   */
  begin(step: Step, content: Content | null, address?: Address): Answer;
  late(step: Step, content: Content): void;
  /**
   * A value of the clock, of a random source, or a measure of the machine. `optional`: for a measure that the record
   * lacks, a replay takes the real one without a finding.
   */
  draw<T extends string | number>(kind: DrawKind, scope: number, real: () => T, optional?: boolean): T;
  /**
   * The agent has set a timer or a time-out to so many milliseconds. `what`: the function that it called; `step`: the request
   * whose connection it is for.
   */
  delay(ms: number, scope: number, what: string, step?: Step): void;
  /** The next creation number in a scope. */
  next(kind: NumberedKind, scope: number): number;
  /** The body of a function step has run although a record exists (composite tools, `--run-tool`). */
  ran(step: Step, outcome: { value: unknown } | { error: unknown }): void;
}
