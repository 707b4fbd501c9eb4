import type { RunRow } from "@reenact/view";

/** A run that is not a file here. */
export interface RemoteRun {
  /** 32 hex digits */
  readonly run: string;
  /** milliseconds since the epoch */
  readonly started: number;
  readonly session: string | null;
  /** of the process that it belongs to */
  readonly instance: string | null;
  /** as they are there now: a sealed run keeps those of its sealing */
  readonly class?: string;
  readonly flags?: readonly string[];
}

export interface RunsQuery {
  /** one of these; absent: any */
  readonly statuses?: readonly string[] | undefined;
  /** as they stand in the record: a token, where a value was redacted */
  readonly user?: string | undefined;
  readonly session?: string | undefined;
  /** under way between these, milliseconds since the epoch */
  readonly between?: { readonly from: number; readonly to: number } | undefined;
  /** a collector's filter expression, redacted */
  readonly filter?: string | undefined;
  readonly replays: boolean;
  readonly limit: number;
  /** `next` of the page before */
  readonly after?: string | undefined;
}

export interface RunsPage {
  /** newest start first */
  readonly rows: readonly RunRow[];
  /** null: there are no more */
  readonly next: string | null;
  /** how many fit in all; null: not counted to the end */
  readonly count: number | null;
}

/** Where runs lie that are no files here: a collector, a store of packs, Phoenix. Every method throws `CliError`. */
export interface RemoteRuns {
  /** for people */
  readonly place: string;
  list(query: RunsQuery): Promise<RunsPage>;
  /** By 4 or more digits of the id. */
  find(prefix: string): Promise<RemoteRun>;
  /** The earlier runs of its session, and the others of its process: what a replay of it may need. Oldest first. */
  related(run: RemoteRun): Promise<readonly RemoteRun[]>;
  /** The bytes of the envelope, as received: the caller checks them. */
  envelope(run: RemoteRun): Promise<Uint8Array>;
  close(): void;
}
