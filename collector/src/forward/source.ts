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

/** The source of a forwarder's spans. After a restart it may give spans again, never fewer. */
export interface Source {
  /** The batches after a cursor (null: from the begin), without end until the signal aborts. */
  batches(from: string | null, signal: AbortSignal): AsyncIterable<Batch>;
  /** bytes that were received behind the cursor; 0 where the source holds nothing back */
  behind(cursor: string | null): number;
}
