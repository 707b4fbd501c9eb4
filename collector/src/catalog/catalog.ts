import type { PostgresAddress } from "./drivers/postgres-address.ts";
import type { Filter, ListField, TextField } from "./filter.ts";
import type { RunOrder } from "./page-cursor.ts";
import type { RunPart, RunRow } from "./run-row.ts";
import type { RunSums, SeriesPoint, SeriesQuery } from "./run-sums.ts";

/** Says that a process owns what `name` stands for. Once another process has taken a later epoch of that name, this one is void. */
export interface Fence {
  readonly name: string;
  readonly epoch: number;
}

/**
 * The copy of the run that the caller has read and works on. Nothing of the change is applied, and `CatalogError` with `CONFLICT` is
 * thrown, if the newest part of the stored row is another one by now, or there is no row.
 */
export type ExpectedPart = Pick<RunPart, "key" | "offset">;

/** One transaction: all of it is applied, or nothing. */
export interface CatalogChange {
  /** Nothing is applied, and `CatalogError` with `FENCED` is thrown, if a later epoch was taken. */
  readonly fence?: Fence;
  /**
   * Rows by (tenant, run). A row of a lower revision than the stored one changes nothing. `text` is what full text
   * search sees; absent keeps what is stored.
   */
  readonly upsert?: readonly {
    readonly row: RunRow;
    readonly text?: string;
    /**
     * The revision was just sealed. Nothing of the change is applied, and `CatalogError` with `CONFLICT` is thrown, if the catalog has
     * the revision with other spans, or a later one: somebody else has sealed the run meanwhile, and these spans would be in no revision.
     */
    readonly isNew?: true;
    /** null: the caller has found no row */
    readonly ifPart?: ExpectedPart | null;
  }[];
  /** A run that is not there may be removed, also with `ifPart`. */
  readonly remove?: readonly { readonly tenant: string; readonly run: string; readonly ifPart?: ExpectedPart }[];
  /** positions by name: how far the assembler or a forwarder has come; those of `runNote` go with their run */
  readonly cursors?: Readonly<Record<string, string>>;
}

export interface RunQuery {
  /** absent: of all tenants */
  readonly tenant?: string;
  readonly filter: Filter;
}

export interface Page {
  /** from 1 to 1,000 */
  readonly limit: number;
  /** `next` of the page before */
  readonly after?: string | null;
  /**
   * "started" (default): newest start first, equal starts by run id; in the other ones, too, the greatest first. "changed": in the order in which rows were put,
   * again each time they were; this order has no end, `next` is where to look later.
   */
  readonly order?: RunOrder | "changed";
}

export interface FoundRuns {
  readonly rows: readonly RunRow[];
  /** pass it to `find` for the rows after these; null: there are no more, or in order of change, none at all */
  readonly next: string | null;
  /** how many fit in all; `exact: false` means "at least so many", and nobody counts in order of change */
  readonly count: { readonly value: number; readonly exact: boolean };
}

export interface Facet {
  readonly value: string;
  readonly runs: number;
}

/** Where a catalog is; it can be sent to another thread. Only its driver reads it. */
export type CatalogAddress = { readonly driver: "sqlite"; readonly file: string } | PostgresAddress;

/** Queries over the rows. */
export interface CatalogReader {
  /** Throws `CatalogError` with `BAD_CURSOR`. */
  find(query: RunQuery, page: Page): Promise<FoundRuns>;
  /** The most frequent values per field, at most `limit` each, most frequent first. Counts are exact. */
  facets(
    query: RunQuery,
    fields: readonly (TextField | ListField)[],
    limit: number,
  ): Promise<Partial<Record<TextField | ListField, readonly Facet[]>>>;
  /** Sums by the values of a field, the value with the newest run first; null values are left out. At most `limit`. */
  sums(query: RunQuery, field: TextField, limit: number): Promise<readonly RunSums[]>;
  /** Points with at least one run; `exact` false: there were so many runs that only the newest were looked at. */
  series(
    query: RunQuery,
    over: SeriesQuery,
  ): Promise<{ readonly points: readonly SeriesPoint[]; readonly exact: boolean }>;
  get(tenant: string, run: string): Promise<RunRow | null>;
}

/** The index of sealed runs. Everything in it can be made again from the packs, but for the cursors and leases. */
export interface Catalog extends CatalogReader {
  /** One transaction, durable when it resolves. */
  apply(change: CatalogChange): Promise<void>;
  cursor(name: string): Promise<string | null>;
  /**
   * Takes or renews the lease `name` for `owner` until `now + forMs`; false: another one holds it. All of a collector's
   * background work that must run once holds one.
   */
  lease(name: string, owner: string, forMs: number): Promise<boolean>;
  /** Takes the next epoch of `name`, from 1 on: changes with an earlier one are refused from now on. */
  fence(name: string): Promise<number>;
  close(): Promise<void>;
}
