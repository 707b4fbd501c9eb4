import { JournalError } from "../../journal-error.ts";
import {
  type Entry,
  type EntryPlace,
  type Journal,
  JOURNAL_START,
  type Position,
  type ReadOptions,
  type RecordReference,
} from "../../journal.ts";
import { offsetOf, offsetPosition, storedOffset } from "./offset-position.ts";
import type { Spool, SpooledEntry } from "./spool.ts";

/** A record as it was fetched; its body is here. */
export interface FetchedEntry extends SpooledEntry {
  readonly offset: number;
}

/** The records of one partition that were fetched and not released, in the order of their offsets. */
export interface PartitionJournal extends Omit<Journal, "append"> {
  readonly partition: number;
  /** where fetching goes on; null: not now, as much as there is room for is waiting to be read */
  wanted(): number | null;
  /** Takes what was fetched behind `wanted`. */
  take(entries: readonly FetchedEntry[], next: number): Promise<void>;
  /** The partition ends there or later. */
  noteEnd(end: number): void;
  /** The entries before `next` that are named by their record or their position, with their bodies. */
  entriesAt(records: readonly RecordReference[], positions: readonly Position[], next: number): Promise<FetchedEntry[]>;
  /** Forgets the entries before `next` that are not named, which nobody needs any more: they take memory as long as one before them is needed. */
  keepOnly(records: readonly RecordReference[], positions: readonly Position[], next: number): void;
}

interface Item extends Omit<FetchedEntry, "body"> {
  readonly place: EntryPlace;
  readonly length: number;
  /** of the items before it, since the journal was opened */
  readonly before: number;
  /** until it was read */
  body: Uint8Array | null;
}

/** Bodies that were fetched and not read yet: nothing more is fetched then. */
const AHEAD_BYTES = 16 * 1024 ** 2;

export function createPartitionJournal(options: {
  readonly partition: number;
  readonly spool: Spool;
  /** the offset with which fetching begins, and where the partition ends now */
  readonly from: number;
  readonly end: number;
}): PartitionJournal {
  const { partition, spool } = options;
  const writer = spool.open();
  let items: Item[] = [];
  /** segments of the spool before this one were removed */
  let freed = 0;
  let next = options.from;
  let { end } = options;
  let released = 0;
  let total = 0;
  let ahead = 0;
  let closed = false;
  const wakers = new Set<() => void>();
  /** what is taken is taken in turn */
  let taking: Promise<unknown> = Promise.resolve();

  function wake(): void {
    for (const waker of wakers) waker();
    wakers.clear();
  }

  /** Index of the first item at or behind the offset. */
  function indexOf(offset: number): number {
    let [low, high] = [0, items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (items[middle]!.offset < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async function bodyOf(item: Item): Promise<Uint8Array> {
    const { place, length } = item;
    return item.body ?? spool.bytes({ block: place.block, record: place.record, offset: place.body, length });
  }

  async function* read(from: Position, signal?: AbortSignal, { onRead }: ReadOptions = {}): AsyncGenerator<Entry> {
    const begin = offsetOf(from);
    if (begin === null || begin > end)
      throw new JournalError("CURSOR_AHEAD", `partition ${partition} ends before ${from}`);
    let at = begin;
    for (;;) {
      if (signal?.aborted) return;
      const item = items[indexOf(at)];
      if (item) {
        at = item.offset + 1;
        const body = await bodyOf(item);
        if (item.body !== null) ahead -= item.length;
        item.body = null;
        const { offset, tenant, kind, receivedAt, place } = item;
        yield {
          position: offsetPosition(offset),
          next: offsetPosition(offset + 1),
          tenant,
          kind,
          receivedAt,
          body,
          place,
        };
      } else if (closed) {
        return;
      } else {
        onRead?.(offsetPosition(next));
        await new Promise<void>((resolve) => {
          const go = (): void => {
            signal?.removeEventListener("abort", go);
            resolve();
          };
          wakers.add(go);
          signal?.addEventListener("abort", go, { once: true });
        });
      }
    }
  }

  async function take(entries: readonly FetchedEntry[], upTo: number): Promise<void> {
    if (closed) return;
    const fresh = entries.filter((each) => each.offset >= next);
    if (fresh.length > 0) {
      const places = await writer.write(fresh);
      for (const [n, { body, ...entry }] of fresh.entries()) {
        items.push({ ...entry, body, length: body.length, place: places[n]!, before: total });
        total += Math.max(body.length, 1);
        ahead += body.length;
      }
    }
    next = Math.max(next, upTo);
    end = Math.max(end, next);
    wake();
  }

  /** Whether an item is among those that are named by their record or their position. */
  function namedBy(records: readonly RecordReference[], positions: readonly Position[]): (item: Item) => boolean {
    const wanted = new Set(records.map(({ block, record }) => `${block}:${record}`));
    const named = new Set(positions);
    return ({ offset, place: { block, record } }) =>
      wanted.has(`${block}:${record}`) || named.has(offsetPosition(offset));
  }

  return {
    partition,
    read,
    bytes: spool.bytes,
    wanted: () => (ahead < AHEAD_BYTES && !closed ? next : null),
    take(entries, upTo) {
      const done = taking.then(() => take(entries, upTo));
      taking = done.catch(() => {});
      return done;
    },
    noteEnd(at) {
      end = Math.max(end, at);
    },
    async entriesAt(records, positions, upTo) {
      const isNamed = namedBy(records, positions);
      const found = items.filter((item) => item.offset < upTo && isNamed(item));
      return Promise.all(
        found.map(async (item) => {
          const { offset, tenant, kind, receivedAt } = item;
          return { offset, tenant, kind, receivedAt, body: await bodyOf(item) };
        }),
      );
    },
    keepOnly(records, positions, upTo) {
      const isNamed = namedBy(records, positions);
      // what is not read yet is needed
      items = items.filter((item) => item.offset >= upTo || item.body !== null || isNamed(item));
    },
    release(upTo) {
      const offset = offsetOf(upTo) ?? 0;
      if (offset <= released) return;
      released = offset;
      for (const item of items.splice(0, indexOf(offset))) if (item.body !== null) ahead -= item.length;
      const block = items[0]?.place.block ?? freed;
      // a segment that cannot be removed now goes with the folder at the next start
      if (block > freed) void writer.releaseBefore((freed = block)).catch(() => {});
    },
    bytesAfter(position) {
      const item = items[indexOf(offsetOf(position) ?? 0)];
      return item ? total - item.before : 0;
    },
    position: storedOffset,
    durable: () => (end === 0 ? JOURNAL_START : offsetPosition(end)),
    async close() {
      closed = true;
      wake();
      await taking;
      await writer.remove();
    },
  };
}
