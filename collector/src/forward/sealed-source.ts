import { errorCode } from "@reenact/envelope";
import type { ScannedSpan } from "@reenact/envelope";
import type { Catalog } from "../catalog/catalog.ts";
import type { Filter } from "../catalog/filter.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { runNote } from "../catalog/run-note.ts";
import type { Log } from "../log.ts";
import type { Clock } from "./clock.ts";
import { readSent, sentText } from "./sent-spans.ts";
import type { Batch, Source } from "./source.ts";

/** The spans of a sealed run; rejects if a part of it cannot be read now. */
export type ReadRunSpans = (row: RunRow) => Promise<readonly ScannedSpan[]>;

/** A run that is damaged is passed over after so many tries; a store that is away is waited for. */
const TRIES = 20;

/** A batch is sent once it has so many bytes, or runs; a destination takes a hundred small runs in one request. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_RUNS = 200;

/**
 * Sealed runs that fit a filter, in the order in which they were sealed or changed: what a filter asks is known then. Of a run
 * that comes again only what the destination has not got, by a note in the catalog that is saved with the cursor.
 */
export function createSealedSource(deps: {
  readonly catalog: Catalog;
  /** it has all rows; nothing is sent before */
  readonly complete: Promise<void>;
  /** its name */
  readonly destination: string;
  readonly filter: Filter;
  /** absent: of all */
  readonly tenants?: readonly string[] | undefined;
  readonly read: ReadRunSpans;
  readonly clock: Clock;
  readonly log: Log;
  /** milliseconds between two looks */
  readonly every?: number;
}): Source {
  const { catalog, complete, destination, filter, tenants, read, clock, log, every = 1000 } = deps;

  async function* batches(from: string | null, signal: AbortSignal): AsyncGenerator<Batch> {
    let after = from;
    // one that never will be is the end of the collector
    await Promise.race([complete.catch(() => aborted(signal)), aborted(signal)]);
    while (!signal.aborted) {
      const batch = await collect(after, signal);
      if (signal.aborted) return;
      if (batch === null) {
        await clock.sleep(every, signal);
        continue;
      }
      after = batch.next;
      yield batch;
    }
  }

  /** null: no run has changed since. */
  async function collect(from: string | null, signal: AbortSignal): Promise<Batch | null> {
    const spans: ScannedSpan[] = [];
    const notes: Record<string, string> = {};
    const dueSince = clock.now();
    let receivedAt = dueSince;
    let after = from;
    let bytes = 0;
    for (let runs = 0; runs < BATCH_RUNS && bytes < BATCH_BYTES && !signal.aborted; runs++) {
      // one row a page makes the cursor behind each run known
      const { rows, next } = await catalog.find({ filter }, { limit: 1, after, order: "changed" });
      const row = rows[0];
      if (!row) break;
      const before = after;
      after = next;
      if (tenants !== undefined && !tenants.includes(row.tenant)) continue;
      const note = runNote(row.tenant, row.run, `sent-${destination}`);
      // a run may come twice in a batch
      const sent = readSent(notes[note] ?? (await catalog.cursor(note)));
      if (sent.isAll(row)) continue;
      const all = spans.length === 0 ? await spansOf(row, signal) : await read(row).catch(() => null);
      if (all === null) {
        // what has been read does not wait for a run that cannot be
        after = before;
        break;
      }
      const lacking = sent.lacking(all);
      if (all.length > 0) notes[note] = sentText(row, all);
      if (lacking.length === 0) continue;
      receivedAt = Math.min(receivedAt, row.received);
      spans.push(...lacking);
      bytes += lacking.reduce((sum, { span }) => sum + span.length, 0);
    }
    return after === from ? null : { spans, receivedAt, dueSince, next: after!, notes };
  }

  /** Waits for the store as long as it takes; a run that has expired since has no spans. */
  async function spansOf(row: RunRow, signal: AbortSignal): Promise<readonly ScannedSpan[]> {
    for (let tried = 1; !signal.aborted; tried++) {
      try {
        return await read(row);
      } catch (error) {
        const code = errorCode(error);
        if (code === "NO_OBJECT") return [];
        log(tried === 1 ? "warn" : "debug", "forward.run-unreadable", { run: row.run, tried, error });
        if (tried >= TRIES && code !== "UNAVAILABLE") return [];
        await clock.sleep(Math.min(60_000, 1000 * 2 ** Math.min(tried, 6)), signal);
      }
    }
    return [];
  }

  return { batches, behind: () => 0 };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
