import type { HeaderPairs, RecordedBody, RecordedError } from "@reenact/envelope";

/** Answers of one step as its program got them, without secrets. Absent: as in the record. */
export interface KeptStep {
  readonly step: number;
  readonly span: string;
  /** typed encodings, as in `call` */
  readonly result?: string;
  readonly error?: string;
  readonly yields?: readonly string[];
  readonly response?: KeptResponse;
  /** `error` of the exchange */
  readonly failure?: RecordedError;
}

export interface KeptResponse {
  readonly reason: string;
  readonly headers: HeaderPairs;
  readonly url?: string;
  /** with its text or bytes: never a reference */
  readonly body?: RecordedBody;
}

/** What a run was given before its first step, and files that it found, without secrets. */
export interface KeptRoot {
  /** typed encoding */
  readonly input?: string;
  /** variables that differ from the record */
  readonly environment?: Readonly<Record<string, string>>;
  /** contents of files before the run wrote them, by path as in the record */
  readonly files?: Readonly<Record<string, string>>;
}

/** Tokens of a record, and what stood in their place. */
export type TokenValues = Readonly<Record<string, string>>;

/** What may be kept of one step. */
export interface Originals {
  readonly kept: Omit<KeptStep, "step" | "span">;
  readonly values: TokenValues;
  /** `kept` as the vault seals it, made by the thread that has read the step; `kept` is then empty */
  readonly packed?: Uint8Array;
  /** typed encoding of the arguments */
  readonly args?: string;
}
