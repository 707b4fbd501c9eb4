import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getEventListeners } from "node:events";
import { afterEach, expect, test } from "vitest";
import { ENTRY_KIND, type EntryPlace, JOURNAL_START } from "../../journal.ts";
import { offsetPosition } from "./offset-position.ts";
import { createPartitionJournal, type FetchedEntry } from "./partition-journal.ts";
import { openSpool } from "./spool.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function journal(end: number) {
  const folder = mkdtempSync(join(tmpdir(), "spool-"));
  folders.push(folder);
  const spool = openSpool(folder);
  return { spool, partition: createPartitionJournal({ partition: 0, spool, from: 0, end }) };
}

const entry = (offset: number): FetchedEntry => ({
  offset,
  tenant: "t",
  kind: ENTRY_KIND.traces,
  receivedAt: 1,
  body: Buffer.from(`entry ${offset}`),
});

test("what is fetched twice at the same time is read once, in order", async () => {
  const { spool, partition } = journal(4);
  const entries = [0, 1, 2].map(entry);
  await Promise.all([partition.take(entries, 3), partition.take(entries, 3), partition.take(entries.slice(1), 3)]);
  await partition.take([entry(3)], 4);
  const seen: string[] = [];
  for await (const { position } of partition.read(JOURNAL_START)) {
    seen.push(position);
    if (seen.length === 4) break;
  }
  expect(seen).toEqual([0, 1, 2, 3].map(offsetPosition));
  // the places are found by their order
  expect(partition.bytesAfter(offsetPosition(3))).toBe("entry 3".length);
  partition.release(offsetPosition(2));
  expect(partition.bytesAfter(offsetPosition(2))).toBe("entry 2entry 3".length);
  await partition.close();
  await spool.close();
});

test("nothing is taken once it is closed, and a reader that waits leaves no listeners", async () => {
  const { spool, partition } = journal(0);
  const ending = new AbortController();
  const reader = partition.read(JOURNAL_START, ending.signal)[Symbol.asyncIterator]();
  for (let offset = 0; offset < 5; offset++) {
    const next = reader.next();
    await partition.take([entry(offset)], offset + 1);
    expect((await next).value).toMatchObject({ position: offsetPosition(offset) });
  }
  const last = reader.next();
  await Promise.resolve();
  expect(getEventListeners(ending.signal, "abort").length).toBeLessThanOrEqual(1);
  const late = partition.take([entry(5)], 6);
  await Promise.all([partition.close(), late]);
  await partition.take([entry(6)], 7);
  expect(await last).toEqual({ done: true, value: undefined });
  expect(spool.storedBytes()).toBe(0);
  await spool.close();
});

test("behind an entry that is needed for long, only what is named takes memory, and the spool gives up what is before it", async () => {
  const { spool, partition } = journal(0);
  const LARGE = Buffer.alloc(1024 ** 2);
  const large = (offset: number): FetchedEntry => ({ ...entry(offset), body: LARGE });
  const places: EntryPlace[] = [];
  const reader = partition.read(JOURNAL_START)[Symbol.asyncIterator]();
  const ALL = 60;
  for (let offset = 0; offset < ALL; offset++) {
    await partition.take([large(offset)], offset + 1);
    places.push((await reader.next()).value!.place);
  }
  await partition.take([large(ALL)], ALL + 1);
  const offsets = async (records: readonly EntryPlace[], next: number) =>
    (await partition.entriesAt(records, [offsetPosition(40)], next)).map(({ offset }) => offset);
  expect(await offsets(places, ALL)).toHaveLength(ALL);
  partition.keepOnly([places[50]!], [offsetPosition(40)], ALL);
  expect(await offsets(places, ALL + 1)).toEqual([40, 50]);
  expect(partition.bytesAfter(offsetPosition(40))).toBe((ALL + 1 - 40) * LARGE.length);
  const stored = spool.storedBytes();
  partition.release(offsetPosition(1));
  await expect.poll(() => spool.storedBytes()).toBeLessThan(stored / 2);
  // what was not read then is read, and what is named has its bytes
  expect((await reader.next()).value).toMatchObject({ position: offsetPosition(ALL) });
  expect((await partition.entriesAt([places[50]!], [], ALL)).map(({ body }) => body.length)).toEqual([LARGE.length]);
  await partition.close();
  await spool.close();
});
