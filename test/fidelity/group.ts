import type { Program } from "./trial.ts";

/** Programs that one provider answers. */
export interface Group {
  readonly name: string;
  /** Starts what the programs talk to. */
  open(): Promise<OpenGroup>;
}

export interface OpenGroup {
  readonly programs: readonly Program[];
  /** Ends what the programs talk to: it is gone when they are replayed. */
  stop(): Promise<void>;
  /** Removes what they need for a replay too. */
  close?(): void;
}
