import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Journal, Position, RunningJournal } from "../../journal.ts";
import { drain, entry, texts } from "../../sample-entries.test.fixture.ts";
import { createLocalJournal } from "./local-journal.ts";
import type { LocalJournalOptions } from "./local-journal-options.ts";
import { segmentPath } from "./segment-name.ts";
import { placeOf } from "./segment-place.ts";

let folder: string;
const opened: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((journal) => journal.close()));
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: Partial<LocalJournalOptions> = {}): Promise<RunningJournal> {
  const journal = await createLocalJournal({ folder, minFreeBytes: 0, ringBytes: 64 * 1024, ...options });
  opened.push(journal);
  return journal;
}

test("bodies of every size, whole and in pieces, many at once, through a ring that they do not fit in", async () => {
  const journal = await open();
  const sizes = [0, 1, 7, 8, 9, 1000, 4096, 16_383, 16_384, 16_385, 40_000, 65_536, 300_000];
  const bodies = Array.from({ length: 200 }, (_, at) => randomBytes(sizes[(at * 7) % sizes.length]!));
  const positions = await Promise.all(
    bodies.map((body, at) =>
      journal.append(entry(at % 3 === 0 ? [body.subarray(0, 5), body.subarray(5)] : Uint8Array.from(body))),
    ),
  );
  const entries = await drain(journal);
  expect(entries.map(({ position }) => position)).toEqual(positions);
  for (const [at, { body }] of entries.entries()) expect(bodies[at]!.equals(body)).toBe(true);
});

test("a restart goes on behind everything there was; segments without an entry are removed", async () => {
  for (let round = 0; round < 3; round++) {
    const journal = await open();
    await journal.append(entry(Buffer.from(`round ${round}`)));
    await journal.close();
    await (await open()).close();
  }
  const journal = await open();
  expect(texts(await drain(journal))).toEqual(["round 0", "round 1", "round 2"]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".journal"))).toHaveLength(4);
  expect(placeOf(journal.durable())?.segment).toBe(7);
});

test("released segments are deleted, their bytes refused, and readers pass over them", async () => {
  const journal = await open({ segmentBytes: 1 });
  const [first, second, third] = [
    await journal.append(entry(Buffer.from("1"))),
    await journal.append(entry(Buffer.from("2"))),
    await journal.append(entry(Buffer.from("3"))),
  ] as const;
  journal.release(third);
  journal.release(first);
  const { segment, offset } = placeOf(second)!;
  await expect(journal.bytes({ block: segment, record: offset, offset, length: 1 })).rejects.toMatchObject({
    code: "RELEASED",
  });
  expect(texts(await drain(journal))).toEqual(["3"]);
  journal.release(journal.durable());
  expect(texts(await drain(journal))).toEqual([]);
  await expect.poll(() => readdirSync(folder).filter((name) => name.endsWith(".journal"))).toHaveLength(2);
});

test("less disk left than must stay free: refused, and said", async () => {
  const journal = await open({ minFreeBytes: 2 ** 60 });
  await expect(journal.append(entry(Buffer.from("x")))).rejects.toMatchObject({ code: "NO_SPACE" });
  await expect(journal.append(entry(Buffer.alloc(100_000)))).rejects.toMatchObject({ code: "NO_SPACE" });
  expect(journal.status()).toMatchObject({ refusing: { code: "NO_SPACE" }, entries: 0 });
});

test("what is free is known before anything was written, and a disk that has room again is one", async () => {
  const short = await open({ minFreeBytes: 2 ** 60 });
  expect(short.status()).toMatchObject({ refusing: { code: "NO_SPACE" }, freeBytes: expect.any(Number) as number });
  await short.close();
  const fullOnce = new URL("./crash-files.test.fixture.ts?point=write:before&count=2&fate=ENOSPC", import.meta.url);
  const refused = await open({ minFreeBytes: 0, files: fullOnce.href });
  await expect(refused.append(entry(Buffer.from("x")))).rejects.toMatchObject({ code: "NO_SPACE" });
  expect(refused.status().refusing).toMatchObject({ code: "NO_SPACE" });
  await expect.poll(() => refused.status().refusing, { timeout: 5000 }).toBeNull();
});

test("one process at a time", async () => {
  const journal = await open();
  await expect(createLocalJournal({ folder })).rejects.toMatchObject({ code: "LOCKED" });
  await journal.close();
  await open();
});

describe("damage", () => {
  async function written(bodies: string[]): Promise<Position[]> {
    const journal = await open();
    const positions: Position[] = [];
    for (const body of bodies) positions.push(await journal.append(entry(Buffer.from(body))));
    await journal.close();
    return positions;
  }

  test("a tail of zeros, as a power loss leaves it, is cut off", async () => {
    await written(["first"]);
    truncateSync(segmentPath(folder, 1), 5000);
    expect(texts(await drain(await open()))).toEqual(["first"]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".damaged"))).toEqual([]);
  });

  test("a bad record in the middle is passed over, and its bytes are set aside", async () => {
    const positions = await written(["first", "second", "third"]);
    const [second, third] = [placeOf(positions[1]!)!.offset, placeOf(positions[2]!)!.offset];
    const path = segmentPath(folder, 1);
    const bytes = readFileSync(path);
    bytes[second + 33]! ^= 4;
    writeFileSync(path, bytes);
    const journal = await open();
    expect(texts(await drain(journal))).toEqual(["first", "third"]);
    expect(texts(await drain(journal))).toEqual(["first", "third"]);
    expect(journal.status().damagedBytes).toBe(third - second);
    const damaged = () => readdirSync(folder).filter((name) => name.endsWith(".damaged"));
    await expect.poll(damaged).toEqual([`0000000001.journal.${second}.damaged`]);
    const aside = readFileSync(join(folder, damaged()[0]!));
    expect(aside.equals(bytes.subarray(second, third))).toBe(true);
  });

  test("a record inside a body is never taken for one", async () => {
    await written(["victim"]);
    const record = readFileSync(segmentPath(folder, 1)).subarray(64);
    rmSync(folder, { recursive: true });
    const journal = await open();
    const { offset } = placeOf(await journal.append(entry(Buffer.concat([Buffer.alloc(1), record]), "1234567")))!;
    await journal.append(entry(Buffer.from("last")));
    await journal.close();
    const bytes = readFileSync(segmentPath(folder, 1));
    bytes[offset + 40]! ^= 255;
    writeFileSync(segmentPath(folder, 1), bytes);
    expect(texts(await drain(await open()))).toEqual(["last"]);
  });

  test("a newer version is refused", async () => {
    await written(["x"]);
    const { segmentHead } = await import("./record.ts");
    const head = Buffer.from(segmentHead({ segment: 1, salt: 1 }, 0));
    for (const at of [0, 32]) head.writeUInt16LE(2, at + 4);
    const { crc32 } = await import("node:zlib");
    for (const at of [0, 32]) head.writeUInt32LE(crc32(head.subarray(at, at + 28)), at + 28);
    for (const name of readdirSync(folder)) if (name.endsWith(".journal")) rmSync(join(folder, name));
    writeFileSync(segmentPath(folder, 1), head);
    await expect(open()).rejects.toMatchObject({ code: "NOT_A_JOURNAL" });
  });
});

test("a body whose checksum is known already is read back as any other", async () => {
  const journal = await open();
  // the fourth one is too long for the ring
  const bodies = [0, 3, 5_000, 40_000, 17].map((length) => randomBytes(length));
  await Promise.all(bodies.map((body) => journal.append({ ...entry(Buffer.from(body)), bodyCrc: crc32(body) })));
  const read = await drain(journal);
  expect(read.map(({ body }) => Buffer.compare(body, bodies.shift()!))).toEqual([0, 0, 0, 0, 0]);
  expect(journal.status().damagedBytes).toBe(0);
});

test("what is appended in one turn is one commit", async () => {
  const journal = await open({ lingerMs: 0, ringBytes: 2 ** 20 });
  // its thread waits to be told by then: one that is about to wait looks at what there is first
  await journal.append(entry(Buffer.alloc(2_000)));
  await sleep(100);
  await Promise.all(Array.from({ length: 50 }, (_, n) => journal.append(entry(Buffer.alloc(2_000, n)))));
  expect(journal.status()).toMatchObject({ commits: 2, entries: 51 });
});
