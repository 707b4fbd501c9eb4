import type { ScannedSpan } from "@reenact/envelope";

/** Spans that are sent together, and where a reader goes on behind them. */
export interface Batch {
  readonly spans: readonly ScannedSpan[];
  /** when the oldest of it arrived, milliseconds since the epoch: what lags */
  readonly receivedAt: number;
  /** since when it could have been sent: what is given up after a time */
  readonly dueSince: number;
  readonly next: string;
  /** to be saved with `next`, by name */
  readonly notes?: Readonly<Record<string, string>>;
}

/** Where a forwarder takes its spans from. Both sources may give spans again after a restart, never fewer. */
export interface Source {
  /** From a cursor (null: from the begin) on, for ever, until the signal aborts. */
  batches(from: string | null, signal: AbortSignal): AsyncIterable<Batch>;
  /** bytes that were received behind the cursor; 0 where the source holds nothing back */
  behind(cursor: string | null): number;
}
