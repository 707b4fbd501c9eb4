import type { RecordedCall, RecordedExchange } from "@reenact/envelope";

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
