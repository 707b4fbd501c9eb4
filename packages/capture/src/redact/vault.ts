import type { KeptRoot, KeptStep, TokenValues } from "./kept.ts";
import type { Scrubber } from "./scrubber.ts";

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
  /** `packed`: what is kept of the step beside `kept`, see `Originals` */
  step(run: string, kept: KeptStep, values: TokenValues, packed?: Uint8Array): void;
  root(run: string, kept: KeptRoot, values: TokenValues): void;
}
