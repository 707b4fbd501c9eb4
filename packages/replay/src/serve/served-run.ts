import type { RunContext } from "@reenact/capture/recorder";
import type { Tape } from "../tape/tape.ts";
import type { Ledger } from "../verdict/ledger.ts";
import type { TapeSource } from "./tape-source.ts";

/** A run of now that is served from a record. */
export interface ServedRun {
  readonly run: RunContext;
  readonly tape: Tape;
  readonly ledger: Ledger;
  readonly source: TapeSource;
}
