import type { RecordedCall, RecordedExchange } from "@reenact/envelope";

/** How the source of a run answers a step: run live, serve the record, or fail because there is no record. */
export type Answer = DecidedAnswer | HeldAnswer | CallAnswer;

/**
 * Of a request whose body is not known yet: nothing of it goes out before `decide`, which the transport calls once, with what the
 * program would send. See `decideHeld`.
 */
export interface HeldAnswer {
  readonly from: "held";
  decide(content: SentRequest): DecidedAnswer;
}

/** How a whole request is answered. */
export type DecidedAnswer =
  /**
   * `body`, `url`: what is sent, and where to, instead of what the program made. `leaves`: redirects to another origin than the request's are not
   * followed, and the call fails with this error; `to` is that origin
   */
  | { readonly from: "live"; readonly body?: string; readonly url?: string; leaves?(to: string): Error }
  | {
      readonly from: "exchange";
      readonly exchange: RecordedExchange;
      body(): RecordedChunk[];
      /** the error for reading past the point at which the recorded agent stopped; default: the body ends there */
      beyond?(): Error;
      /** bodies of the record that were redacted by the present rules, and need not be scanned again */
      readonly clean?: readonly string[];
      /** the record may end before the answer: one that is not there never comes, and a replay that waits for it is over */
      readonly open?: boolean;
    }
  | { readonly from: "miss"; readonly error: Error };

/**
 * `open`: the recorded call had not settled when its run ended, and never does here. `over`: the agent asks a synchronous
 * generator, which cannot be waited for, for more than it had yielded by then
 */
export interface CallAnswer {
  readonly from: "call";
  readonly call: RecordedCall;
  readonly open?: boolean;
  value(): unknown;
  over?(): void;
}

export interface RecordedChunk {
  readonly bytes: Uint8Array;
  /** milliseconds since the request */
  readonly at: number;
}

/** The content of a step: the request of an exchange, or the arguments of a function in their typed encoding. */
export type Content = SentRequest | { readonly args: string; readonly json?: string | null };

/** Where a request goes. */
export interface Address {
  readonly method: string;
  readonly url: string;
}

export interface SentRequest extends Address {
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: Uint8Array | string | null;
  /** its body was not sent whole, but so many bytes of it: `body` is null, or those bytes where the program has not ended it */
  readonly cut?: number;
  readonly isUnended?: boolean;
  /** of a `fetch` that does not follow redirects */
  readonly redirect?: string;
  /** other options of a `fetch` that are not the default, by name */
  readonly options?: Readonly<Record<string, string>>;
}
