import { type ScannedSpan, scanTraces } from "@reenact/envelope";
import { ENTRY_KIND, type Entry, JOURNAL_START, type Journal } from "../journal/journal.ts";
import type { Log } from "../log.ts";
import type { Batch, Source } from "./source.ts";

export interface JournalSourceOptions {
  /** a batch is sent once it has this many bytes */
  readonly batchBytes?: number;
  /** or once nothing has come for so long, milliseconds */
  readonly linger?: number;
  /** only these tenants; absent: all */
  readonly tenants?: readonly string[];
}

/** The part of a journal that a follower needs. */
export type FollowedJournal = Pick<Journal, "read" | "bytesAfter" | "position">;

/** Everything that was received, in the order in which it was, before anything is known of its runs. */
export function createJournalSource(journal: FollowedJournal, log: Log, options: JournalSourceOptions = {}): Source {
  const { batchBytes = 1024 * 1024, linger = 200, tenants } = options;

  async function* batches(from: string | null, signal: AbortSignal): AsyncGenerator<Batch> {
    const entries = journal.read(journal.position(from) ?? JOURNAL_START, signal)[Symbol.asyncIterator]();
    let coming = entries.next();
    try {
      for (;;) {
        const first = await coming;
        if (first.done === true) return;
        const taken = [first.value];
        let size = first.value.body.length;
        coming = entries.next();
        while (size < batchBytes) {
          const more = await soon(coming, linger);
          if (more === null || more.done === true) break;
          taken.push(more.value);
          size += more.value.body.length;
          coming = entries.next();
        }
        yield batchOf(taken);
      }
    } finally {
      // a reader that waits ends with the signal; nobody asks for its last entry
      coming.catch(() => {});
    }
  }

  function batchOf(entries: readonly Entry[]): Batch {
    const wanted = entries.filter(
      ({ kind, tenant }) => kind === ENTRY_KIND.traces && (tenants?.includes(tenant) ?? true),
    );
    const receivedAt = Math.min(...entries.map((entry) => entry.receivedAt));
    return {
      spans: wanted.flatMap(spansOf),
      receivedAt,
      dueSince: receivedAt,
      next: entries.at(-1)!.next,
    };
  }

  function spansOf({ body, position }: Entry): ScannedSpan[] {
    try {
      return scanTraces(body);
    } catch (error) {
      log("error", "forward.entry-unreadable", { position, error });
      return [];
    }
  }

  const behind = (cursor: string | null) => journal.bytesAfter(journal.position(cursor) ?? JOURNAL_START);

  return { batches, behind };
}

/** The value, or null if it does not come in time. */
async function soon<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
