import type { ScannedSpan } from "@reenact/envelope";
import type { Catalog } from "../catalog/catalog.ts";
import type { Filter } from "../catalog/filter.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { Log } from "../log.ts";
import type { Clock } from "./clock.ts";
import type { Batch, Source } from "./source.ts";

/** The spans of a sealed run; rejects if a part of it cannot be read now. */
export type ReadRunSpans = (row: RunRow) => Promise<readonly ScannedSpan[]>;

/** A run that is damaged is passed over after so many tries; a store that is away is waited for. */
const TRIES = 20;

/** Sealed runs that fit a filter, in the order in which they were sealed or changed: what a filter asks is known then. */
export function createSealedSource(deps: {
  readonly catalog: Catalog;
  readonly filter: Filter;
  /** absent: of all */
  readonly tenants?: readonly string[] | undefined;
  readonly read: ReadRunSpans;
  readonly clock: Clock;
  readonly log: Log;
  /** milliseconds between two looks */
  readonly every?: number;
}): Source {
  const { catalog, filter, tenants, read, clock, log, every = 1000 } = deps;

  async function* batches(from: string | null, signal: AbortSignal): AsyncGenerator<Batch> {
    let after = from;
    while (!signal.aborted) {
      // one row a page makes the cursor behind each run known
      const { rows, next } = await catalog.find({ filter }, { limit: 1, after, order: "changed" });
      const row = rows[0];
      if (!row) {
        await clock.sleep(every, signal);
        continue;
      }
      const wanted = tenants?.includes(row.tenant) ?? true;
      const spans = wanted ? await spansOf(row, signal) : [];
      if (signal.aborted) return;
      after = next;
      yield { spans, receivedAt: row.received, next: next! };
    }
  }

  /** Waits for the store as long as it takes; a run that has expired since has no spans. */
  async function spansOf(row: RunRow, signal: AbortSignal): Promise<readonly ScannedSpan[]> {
    for (let tried = 1; !signal.aborted; tried++) {
      try {
        return await read(row);
      } catch (error) {
        const code = (error as { code?: unknown }).code;
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
