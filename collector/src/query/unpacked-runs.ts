import type { ScannedSpan } from "@reenact/envelope";
import type { OpenRunView } from "../assemble/open-run.ts";
import type { SpanColumns } from "../assemble/span-columns.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { ObjectBody } from "../store/object-store.ts";
import type { StepLine } from "./step-schema.ts";

/** So many runs that are in no pack yet are listed at most, whatever fits: 100,000 may be open. */
export const MOST_LISTED = 2000;

/** Runs that are in no pack yet, as they are read. */
export interface OpenRuns {
  /**
   * those opened last, as far as they are known; nothing of one that is open is final. `prefix`: of their ids; `local` false: only
   * what was received here, without the runs of a local folder
   */
  rows(tenant: string, prefix?: string, local?: boolean): Promise<readonly RunRow[]>;
  /** null: it is in a pack */
  spans(tenant: string, run: string): Promise<readonly ScannedSpan[] | null>;
  /** steps behind the first `from` in the order in which they came, at most `most`; null: it is in a pack */
  lines(tenant: string, run: string, from: number, most: number): Promise<readonly StepLine[] | null>;
  /** its envelope, where it lies in a file of its own beside what was received; null: it does not */
  envelope(tenant: string, run: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** what free text search sees of each of them; empty while it is open */
  texts(tenant: string, runs: readonly string[]): Promise<readonly string[]>;
}

/** Facts of runs that are in no pack yet. Only the receiving thread has them; none needs a span to be read. */
export interface OpenFacts {
  /** those opened last, the newest first; `row`: of one that is sealed and waits for its pack */
  views(tenant: string, prefix: string): readonly { readonly view: OpenRunView; readonly row: RunRow | null }[];
  /** where its spans lie in the journal; null: it is in a pack */
  columns(tenant: string, run: string): Promise<readonly SpanColumns[] | null>;
  texts(tenant: string, runs: readonly string[]): readonly string[];
}

/** What live views need to know of runs that are in no pack yet. */
export interface OpenChanges {
  /**
   * How many spans it has now, and the ids of at most `most` behind the first `from` in the order in which they came; null: it
   * is in a pack.
   */
  order(
    tenant: string,
    run: string,
    from: number,
    most: number,
  ): { readonly total: number; readonly ids: readonly string[] } | null;
  /** those opened last; `version` is another one when more is known of the run */
  changes(tenant: string): readonly { readonly run: string; readonly version: string }[];
  /** its envelope, one piece after another; null: it is open, or in a pack */
  frames(tenant: string, run: string): readonly ObjectBody[] | null;
}
