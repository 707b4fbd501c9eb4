import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { diskFiles } from "./journal-files.ts";
import { type Damage, readSegment } from "./read-entries.ts";
import { padded, recordSize, SEGMENT_HEAD, segmentHead, stampRecord, writeRecordHead } from "./record.ts";
import { recover } from "./recover.ts";
import { segmentPath } from "./segment-name.ts";

const full = process.env["TEST_SCALE"] === "full";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recover-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

// what a sync does is tested with the faults
const files = { ...diskFiles, sync: () => undefined, syncFolder: () => undefined };
const id = { segment: 7, salt: 0x5a17 };

/** A segment with these bodies, and where each record begins. */
function segmentOf(bodies: Uint8Array[]): { bytes: Uint8Array; starts: number[] } {
  const facts = bodies.map((body) => ({ kind: 1, tenantLength: 1, bodyLength: body.length, receivedAt: 1, flags: 0 }));
  const bytes = new Uint8Array(SEGMENT_HEAD + facts.reduce((sum, each) => sum + padded(recordSize(each)), 0));
  const view = new DataView(bytes.buffer);
  bytes.set(segmentHead(id, 0));
  let at = SEGMENT_HEAD;
  const starts = bodies.map((body, index) => {
    const start = at;
    writeRecordHead(view, at, facts[index]!);
    bytes[at + 32] = 116;
    bytes.set(body, at + 33);
    stampRecord(bytes, view, at, id);
    at += padded(recordSize(facts[index]!));
    return start;
  });
  return { bytes, starts };
}

async function readBack(bytes: Uint8Array) {
  const path = segmentPath(folder, id.segment);
  writeFileSync(path, bytes);
  const recovered = recover(folder, files);
  const { end } = recovered.segments[0]!;
  expect(readFileSync(path)).toHaveLength(end);
  const damage: Damage[] = [];
  const source = {
    folder,
    segment: id.segment,
    end: () => end,
    grown: async () => false,
    aborted: () => false,
    space: (bytes: number) => Buffer.alloc(bytes),
    damaged: (each: Damage) => void damage.push(each),
  };
  const read: string[] = [];
  for await (const { body } of readSegment(source, 0)) read.push(Buffer.from(body).toString("hex"));
  return { read, damage, recovered };
}

const hex = (bodies: Uint8Array[]) => bodies.map((body) => Buffer.from(body).toString("hex"));
const anyBodies = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 6 });

test("cut anywhere: the whole records are there, the rest is cut off", async () => {
  await fc.assert(
    fc.asyncProperty(anyBodies, fc.nat(), async (bodies, where) => {
      const { bytes, starts } = segmentOf(bodies);
      const length = where % (bytes.length + 1);
      const { read, damage } = await readBack(bytes.subarray(0, length));
      const whole = bodies.filter((body, at) => starts[at]! + 33 + body.length <= length);
      expect(read).toEqual(hex(whole));
      expect(damage).toEqual([]);
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    }),
    { numRuns: full ? 5000 : 100 },
  );
});

test("bytes changed anywhere: only the records that they lie in are lost, and none is made up", async () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(anyBodies, changes, async (bodies, changes) => {
      const { bytes, starts } = segmentOf(bodies);
      const lost = new Set<number>();
      for (const [where, by] of changes) {
        const at = where % bytes.length;
        bytes[at]! ^= by;
        const record = starts.findLastIndex((start) => start <= at);
        if (record >= 0 && at < starts[record]! + 33 + bodies[record]!.length) lost.add(record);
      }
      const { read, damage, recovered } = await readBack(bytes);
      const kept = hex(bodies.filter((_, at) => !lost.has(at)));
      // two changes of one record may undo each other
      expect([kept, hex(bodies)]).toContainEqual(read);
      if (read.length < bodies.length) expect(damage.length + recovered.cut).toBeGreaterThan(0);
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    }),
    { numRuns: full ? 10_000 : 150 },
  );
});
