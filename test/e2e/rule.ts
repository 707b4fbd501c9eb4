import type { Change } from "./edit-source.ts";
import type { Recorded, Replayed, Trial } from "./trial.ts";

/** An edit of a symbol in the sources of a package. */
export interface Edit {
  readonly package: "capture" | "replay";
  /** `Class.method`, `function`, `function.inner`, `function.key`: one declaration of the package */
  readonly symbol: string;
  readonly change: Change;
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
