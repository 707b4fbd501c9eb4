import type { Recorded, Replayed, Trial } from "./trial.ts";

/** An exact text of a source file under `packages`, and what stands there when the rule is taken out. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A rule of order, the program that needs it, and the edits that take it out. */
export interface Rule {
  readonly rule: number;
  readonly says: string;
  readonly trial: Omit<Trial, "env">;
  /** what is wrong; null if the rule holds. Default: the replay is not identical */
  readonly wrong?: (recorded: Recorded, replayed: Replayed) => string | null;
  readonly edits: readonly Edit[];
}
