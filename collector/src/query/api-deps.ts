import type { ScannedSpan } from "@reenact/envelope";
import type { Catalog } from "../catalog/catalog.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { Log } from "../log.ts";
import type { RetentionTimes } from "../retain/retention-times.ts";
import type { SweepPlan } from "../retain/sweep.ts";
import type { Feedback } from "./api-schema.ts";
import type { Scope } from "./routes.ts";
import type { RangeStore } from "./run-reader.ts";

/** Who asks, or why not. */
export type Admission =
  | { readonly admitted: true; readonly tenant: string; readonly caller: string }
  | {
      readonly admitted: false;
      readonly code: "UNAUTHENTICATED" | "FORBIDDEN" | "BAD_CALLER";
      readonly message: string;
    };

/** Runs that are not sealed yet. */
export interface OpenRuns {
  /** as far as they are known; nothing of an open run is final */
  rows(tenant: string): Promise<readonly RunRow[]>;
  /** null: it is not open */
  spans(tenant: string, run: string): Promise<readonly ScannedSpan[] | null>;
}

/** What a later word does to a sealed run; each resolves to the row as it is then. */
export interface RunKeeper {
  keep(row: RunRow, reason: string): Promise<RunRow>;
  flag(row: RunRow, reason: string): Promise<RunRow>;
  feedback(row: RunRow, feedback: Feedback): Promise<RunRow>;
}

export interface ApiDeps {
  readonly catalog: Catalog;
  readonly store: RangeStore;
  readonly open: OpenRuns;
  readonly keeper: RunKeeper;
  /** how long a class is kept, to say what became of a run */
  readonly times: RetentionTimes;
  /** what a sweep would do now */
  plan(tenant: string): Promise<SweepPlan>;
  /** Host, origin and key; `scope` null asks for none. */
  admit(headers: Headers, scope: Scope | null): Promise<Admission> | Admission;
  readonly log: Log;
  readonly version: string;
  readonly now?: () => number;
}
