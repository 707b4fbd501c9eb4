import { type Entry, type Journal, JOURNAL_START, type NewEntry, type Position, type ReadOptions } from "./journal.ts";
import { JournalError } from "./journal-error.ts";

/** A journal for tests: one endless segment in memory. `release` hides what lies before. */
export function createMemoryJournal(): Journal {
  const entries: Entry[] = [];
  const wakers = new Set<() => void>();
  let end: Position = { segment: 1, offset: 0 };
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
    end = { segment: 1, offset: position.offset + Math.max(body.length, 1) };
    entries.push({ position, next: end, tenant, kind, receivedAt, body: body.slice(), bodyAt: position.offset });
    await Promise.resolve();
    wake();
    return position;
  }

  async function* read(from: Position, signal?: AbortSignal, { onRead }: ReadOptions = {}): AsyncGenerator<Entry> {
    if (from.segment > 1 || from.offset > end.offset) throw new JournalError("CURSOR_AHEAD", "no such position");
    for (let at = 0; ;) {
      if (signal?.aborted) return;
      const entry = entries[at];
      if (entry) {
        at++;
        if (entry.position.offset >= Math.max(from.offset, released.offset)) yield entry;
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
    bytes: async ({ segment, offset, length }) => {
      const entry = entries.findLast((each) => each.bodyAt <= offset);
      if (segment !== 1 || !entry || offset < released.offset) throw new JournalError("RELEASED", "no such bytes");
      const bytes = entry.body.subarray(offset - entry.bodyAt, offset - entry.bodyAt + length);
      if (bytes.length < length) throw new JournalError("DAMAGED", "past the end of the entry");
      return bytes;
    },
    release: (upTo) => {
      if (upTo.offset > released.offset) released = upTo;
    },
    durable: () => end,
    close: async () => {
      closed = true;
      wake();
    },
  };
}
