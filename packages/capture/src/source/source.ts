import type { RecordedCall, RecordedExchange } from "@reenact/envelope";
import type { Gate } from "./gate.ts";
import type { Step } from "../span/step.ts";

/** Kinds of draws: Date, performance, random, uuid, bytes, hrtime, integer, uptime, measure of the machine. */
export type DrawKind = "D" | "P" | "R" | "U" | "B" | "H" | "N" | "T" | "M" | "G";

/** What the seam answers to a step: go live, or take what was recorded, or fail because there is no record. */
export type Answer =
  | { readonly from: "live" }
  | {
      readonly from: "exchange";
      readonly exchange: RecordedExchange;
      body(): RecordedChunk[];
      /** for who reads on where the recorded agent has stopped; default: the body ends there */
      beyond?(): Error;
      /** bodies that stand in the record, redacted by the very rules of now: they need not be read again */
      readonly clean?: readonly string[];
    }
  | { readonly from: "call"; readonly call: RecordedCall; value(): unknown }
  | { readonly from: "miss"; readonly error: Error };

export interface RecordedChunk {
  readonly bytes: Uint8Array;
  /** milliseconds since the request */
  readonly at: number;
}

/** What a step asks: the request of an exchange, or the arguments of a function in their typed encoding. */
export type Content = SentRequest | { readonly args: string; readonly json?: string | null };

/** Where a request goes. */
export interface Address {
  readonly method: string;
  readonly url: string;
}

export interface SentRequest extends Address {
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: Uint8Array | string | null;
  /** of a `fetch` that does not follow redirects */
  readonly redirect?: string;
  /** other options of a `fetch` that are not the default, by name */
  readonly options?: Readonly<Record<string, string>>;
}

/**
 * The seam of one run: live, or recorded. The shell that the agent sees (promises, responses, streams, timers)
 * is the same code over either. Only replay brings another source than the live one.
 */
export interface Source {
  readonly gate: Gate;
  /** true: timers never sleep, they fire when the gate says so */
  readonly virtualTimers: boolean;
  /**
   * Synchronously, when the call is made. May renumber the step to its recorded number. `content` is null while the
   * bytes of a form or a stream are still being read; `late` brings it then. `address`: where such a request goes, where that
   * is known at the call.
   */
  begin(step: Step, content: Content | null, address?: Address): Answer;
  late(step: Step, content: Content): void;
  /**
   * A value of the clock, of a random source, or a measure of the machine. `optional`: a measure decides no verdict; where
   * the record has none a replay takes the real one, and says nothing.
   */
  draw<T extends string | number>(kind: DrawKind, scope: number, real: () => T, optional?: boolean): T;
  /**
   * The agent has set a timer or a time-out to so many milliseconds. `what`: the function that it called; `step`: the request
   * whose connection it is for.
   */
  delay(ms: number, scope: number, what: string, step?: Step): void;
  /** Creation number for a timer or an ordered operation. */
  next(kind: "t" | "o", scope: number): number;
  /** The body of a function step has run although a record exists (composite tools, `--run-tool`). */
  ran(step: Step, outcome: { value: unknown } | { error: unknown }): void;
}
