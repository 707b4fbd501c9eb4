import type { CallVerdict } from "./verdict.ts";

/** What a replay says of one call. */
export interface Call {
  /** from 1, by start */
  step: number;
  slot: string;
  attempt: number;
  verdict: CallVerdict;
}

/** A call as the ledger keeps it. */
export interface CallEntry extends Call {
  name: string;
  /** recorded steps in whose place this one came; what it is called depends on whether they come later */
  instead: { steps: readonly number[]; otherwise: CallVerdict } | null;
  /** recorded steps that should have started before it and had not */
  leftOut: readonly number[];
}
