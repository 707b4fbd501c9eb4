import { type Entry, type Journal, JOURNAL_START, type NewEntry, type Position, type ReadOptions } from "./journal.ts";
import { JournalError } from "./journal-error.ts";

const positionAt = (offset: number) => `m${String(offset).padStart(12, "0")}` as Position;

/** A journal for tests: one endless segment in memory. `release` hides what lies before. */
export function createMemoryJournal(): Journal {
  const entries: Entry[] = [];
  const wakers = new Set<() => void>();
  let length = 0;
  let end = positionAt(0);
  let released: Position = JOURNAL_START;
  let closed = false;

  const wake = () => {
    for (const waker of wakers) waker();
    wakers.clear();
  };

  async function append(entry: NewEntry): Promise<Position> {
    if (closed) throw new JournalError("CLOSED", "the journal is closed");
    const body = entry.body instanceof Uint8Array ? entry.body : Buffer.concat(entry.body);
    entry.check?.(body);
    const position = end;
    const { tenant, kind, receivedAt } = entry;
    const place = { block: 1, record: length, body: length };
    length += Math.max(body.length, 1);
    end = positionAt(length);
    entries.push({ position, next: end, tenant, kind, receivedAt, body: body.slice(), place });
    await Promise.resolve();
    wake();
    return position;
  }

  async function* read(from: Position, signal?: AbortSignal, { onRead }: ReadOptions = {}): AsyncGenerator<Entry> {
    if (from > end) throw new JournalError("CURSOR_AHEAD", "no such position");
    for (let at = 0; ;) {
      if (signal?.aborted) return;
      const entry = entries[at];
      if (entry) {
        at++;
        if (entry.position >= from && entry.position >= released) yield entry;
      } else if (closed) {
        return;
      } else {
        onRead?.(end);
        await new Promise<void>((resolve) => {
          wakers.add(resolve);
          signal?.addEventListener("abort", () => resolve(), { once: true });
        });
      }
    }
  }

  return {
    append,
    read,
    bytes: async ({ block, record, offset, length }) => {
      const entry = entries.find(({ place }) => place.record === record);
      if (block !== 1 || !entry || entry.position < released) throw new JournalError("RELEASED", "no such bytes");
      const bytes = entry.body.subarray(offset - entry.place.body, offset - entry.place.body + length);
      if (bytes.length < length) throw new JournalError("DAMAGED", "past the end of the entry");
      return bytes;
    },
    release: (upTo) => {
      if (upTo > released) released = upTo;
    },
    durable: () => end,
    bytesAfter: (position) =>
      entries.reduce((sum, each) => sum + (each.position >= position ? Math.max(each.body.length, 1) : 0), 0),
    position: (stored) => (stored !== null && /^m\d{12}$/.test(stored) ? (stored as Position) : null),
    close: async () => {
      closed = true;
      wake();
    },
  };
}
