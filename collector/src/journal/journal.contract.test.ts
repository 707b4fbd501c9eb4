import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLocalJournal } from "./drivers/local/local-journal.ts";
import type { LocalJournalOptions } from "./drivers/local/local-journal-options.ts";
import { type Entry, type Journal, JOURNAL_START, type Position } from "./journal.ts";
import { JournalError } from "./journal-error.ts";
import { openTestKafka, testBroker } from "./kafka-journal.test.fixture.ts";
import { createMemoryJournal } from "./memory-journal.test.fixture.ts";
import { drain, entry, texts } from "./sample-entries.test.fixture.ts";

let folder: string;
const opened: Journal[] = [];

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "journal-"))));
afterEach(async () => {
  await Promise.all(opened.splice(0).map((journal) => journal.close()));
  rmSync(folder, { recursive: true, force: true });
});

const openLocal = (options: Partial<LocalJournalOptions>) =>
  createLocalJournal({ folder, minFreeBytes: 0, ringBytes: 64 * 1024, ...options });

const drivers: [name: string, open: () => Promise<Journal>][] = [
  ["memory", async () => createMemoryJournal()],
  ["local", () => openLocal({})],
  ["local, a segment for every commit", () => openLocal({ segmentBytes: 1 })],
];
if (testBroker !== undefined) drivers.push(["kafka", () => openTestKafka(folder)]);

describe.each(drivers)("%s", (_name, open) => {
  async function make(): Promise<Journal> {
    const journal = await open();
    opened.push(journal);
    return journal;
  }

  test("lent bodies are the same, each until the next is asked for", async () => {
    const journal = await make();
    const bodies = [3, 5_000_000, 70_000, 4_194_304 - 39, 0, 2_500_000, 2_500_000].map((length, n) =>
      Buffer.alloc(length, `${n} of these `),
    );
    for (const body of bodies) await journal.append(entry(Buffer.from(body)));
    const stop = new AbortController();
    let n = 0;
    for await (const { body } of journal.read(JOURNAL_START, stop.signal, { lent: true })) {
      expect(Buffer.compare(body, bodies[n++]!)).toBe(0);
      if (n === bodies.length) stop.abort();
    }
    expect(n).toBe(bodies.length);
  });

  test("what was appended is read in order, with its place", async () => {
    const journal = await make();
    const positions = await Promise.all(
      ["one", "two", "", "three"].map((text, at) => journal.append(entry(Buffer.from(text), `tenant ${at} ü`))),
    );
    const entries = await drain(journal);
    expect(texts(entries)).toEqual(["one", "two", "", "three"]);
    expect(entries.map(({ position }) => position)).toEqual(positions);
    expect(entries.map(({ tenant }) => tenant)).toEqual([0, 1, 2, 3].map((at) => `tenant ${at} ü`));
    expect(entries[0]).toMatchObject({ kind: 1, receivedAt: 1763800000000.5 });
    for (const { place, body } of entries) {
      const { block, record, body: at } = place;
      for (const from of [0, Math.min(1, body.length)]) {
        const reference = { block, record, offset: at + from, length: body.length - from };
        expect(Buffer.from(await journal.bytes(reference)).equals(body.subarray(from))).toBe(true);
      }
    }
    expect(texts(await drain(journal, entries[1]!.next))).toEqual(["", "three"]);
  });

  test("a reader gets what is appended later, and ends with its signal", async () => {
    const journal = await make();
    const stop = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { body } of journal.read(JOURNAL_START, stop.signal)) {
        seen.push(Buffer.from(body).toString());
        if (seen.length === 3) stop.abort();
      }
    })();
    for (const text of ["a", "b", "c"]) await journal.append(entry(Buffer.from(text)));
    await reading;
    expect(seen).toEqual(["a", "b", "c"]);
    const idle = new AbortController();
    const nothing = (async () => {
      for await (const each of journal.read(journal.durable(), idle.signal)) return each;
      return null;
    })();
    idle.abort();
    expect(await nothing).toBeNull();
  });

  test("a check sees the body, and what it throws refuses the entry alone", async () => {
    const journal = await make();
    const seen: string[] = [];
    const check = (body: Uint8Array) => {
      seen.push(Buffer.from(body).toString());
      if (body[0] === 120) throw new Error("no x");
    };
    const results = await Promise.allSettled(
      ["fine", "xxxx", "good"].map((text) =>
        journal.append({ ...entry([Buffer.from(text.slice(0, 2)), Buffer.from(text.slice(2))]), check }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(seen).toEqual(["fine", "xxxx", "good"]);
    expect(texts(await drain(journal))).toEqual(["fine", "good"]);
  });

  test("a position that never was is refused", async () => {
    const journal = await make();
    await journal.append(entry(Buffer.from("x")));
    const later = journal.durable().replace(/\d$/, "9") as Position;
    const entries = journal.read(later)[Symbol.asyncIterator]();
    await expect(entries.next()).rejects.toMatchObject({
      code: "CURSOR_AHEAD",
    });
  });

  test("positions are texts in the order of their entries, stored as they are, and read back by their journal only", async () => {
    const journal = await make();
    const positions: Position[] = [JOURNAL_START];
    for (let n = 0; n < 12; n++) positions.push(await journal.append(entry(Buffer.alloc(n * 1000))));
    positions.push(journal.durable());
    expect(positions.toSorted()).toEqual(positions);
    expect(new Set(positions).size).toBe(positions.length);
    for (const each of positions.slice(1)) expect(journal.position(each)).toBe(each);
    expect(journal.position(null)).toBeNull();
    expect(journal.position("partition-3@17")).toBeNull();
    const rest = positions.map((each) => journal.bytesAfter(each));
    expect(rest.toSorted((a, b) => b - a)).toEqual(rest);
    expect(rest.at(-1)).toBe(0);
  });

  test("closed: appends are refused, readers end", async () => {
    const journal = await make();
    const kept = journal.append(entry(Buffer.from("kept")));
    const first = Promise.withResolvers<void>();
    const reading = (async () => {
      const seen: Entry[] = [];
      for await (const each of journal.read(JOURNAL_START)) {
        seen.push(each);
        first.resolve();
      }
      return texts(seen);
    })();
    await Promise.all([kept, first.promise]);
    await journal.close();
    expect(await reading).toEqual(["kept"]);
    await expect(journal.append(entry(Buffer.from("y")))).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("places of entries grow in their order; what is released is passed over, and its bytes are refused or still there", async () => {
    const journal = await make();
    for (let n = 0; n < 5; n++) await journal.append(entry(Buffer.from(`${n}`)));
    const entries = await drain(journal);
    const order = entries.map(({ place }) => place);
    expect(order.toSorted((a, b) => a.block - b.block || a.record - b.record)).toEqual(order);
    journal.release(entries[3]!.position);
    journal.release(entries[1]!.position);
    // a driver gives up whole blocks: what lies before the position may still be read, what lies behind it always
    expect(texts(await drain(journal)).slice(-2)).toEqual(["3", "4"]);
    const { block, record, body } = entries[0]!.place;
    const early = await journal.bytes({ block, record, offset: body, length: 1 }).catch((error: unknown) => error);
    expect(early instanceof JournalError ? early.code : Buffer.from(early as Uint8Array).toString()).toMatch(
      /^(RELEASED|0)$/,
    );
  });
});
