import type { HeaderPairs, RecordedBody, RecordedError } from "@reenact/envelope";
import type { Scrubber } from "./scrubber.ts";

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

/** Keeps the originals of redacted values, sealed. Nothing that it is given holds a secret. Never throws. */
export interface Vault {
  /** replaces secrets and nothing else, exactly as the recorder's scrubber does */
  readonly scrubber: Scrubber;
  /** something is kept of this run */
  takes(run: string): boolean;
  /** values of this type may be kept */
  keeps(type: string): boolean;
  /** the original of this token is in the vault of the run */
  knows(run: string, token: string): boolean;
  step(run: string, kept: KeptStep, values: TokenValues): void;
  root(run: string, kept: KeptRoot, values: TokenValues): void;
}
