import { randomUUID } from "node:crypto";
import type { ObjectStore } from "./object-store.ts";
import { StoreError } from "./store-error.ts";

export interface ProbeResult {
  /** how many races of how many writers had one winner each */
  readonly races: number;
  readonly writers: number;
  /** milliseconds for the whole probe */
  readonly tookMs: number;
}

const text = (value: string) => Buffer.from(value);

/**
 * Tries what the safety of acknowledged runs rests on, on the real store: one winner in every race of conditional
 * writes, the same write again is recognised, what was written is seen at once and whole, ranges are exact, deleted is
 * gone. Throws `StoreError` with `UNSAFE` that names what failed. Leaves nothing behind below `v1/probe/`.
 */
export async function probeStore(
  store: ObjectStore,
  options: { writers?: number; races?: number } = {},
): Promise<ProbeResult> {
  const [writers, races] = [options.writers ?? 20, options.races ?? 2];
  const started = performance.now();
  const folder = `v1/probe/${randomUUID()}`;
  try {
    for (let round = 0; round < races; round++) await race(store, `${folder}/race-${round}`, writers);
    await ranges(store, `${folder}/range`);
    await listing(store, folder, races);
  } finally {
    for await (const { key } of store.list(`${folder}/`)) await store.delete(key);
  }
  for await (const { key } of store.list(`${folder}/`)) throw unsafe(key, "was deleted and is still listed");
  return { races, writers, tookMs: performance.now() - started };
}

const unsafe = (what: string, why: string) => new StoreError("UNSAFE", what, why);

async function race(store: ObjectStore, key: string, writers: number): Promise<void> {
  const bodies = Array.from({ length: writers }, (_, n) => text(`writer ${n} of ${key}`));
  const outcomes = await Promise.all(bodies.map((body) => store.putIfAbsent(key, body)));
  const winners = bodies.filter((_, n) => outcomes[n] === "created");
  if (winners.length !== 1) {
    throw unsafe("conditional writes", `${winners.length} of ${writers} racing writers were told that they won`);
  }
  const stored = await store.getRange(key, 0, 1024);
  if (Buffer.compare(stored, winners[0]!) !== 0)
    throw unsafe("conditional writes", "the winner's bytes are not stored");
  if ((await store.putIfAbsent(key, winners[0]!)) !== "same") {
    throw unsafe("conditional writes", "the same write again is not recognised");
  }
}

async function ranges(store: ObjectStore, key: string): Promise<void> {
  const body = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 251));
  await store.put(key, body);
  const wanted: [offset: number, length: number, from: number, to: number][] = [
    [0, 10, 0, 10],
    [500, 100, 500, 600],
    [990, 100, 990, 1000],
    [-16, 16, 984, 1000],
  ];
  for (const [offset, length, from, to] of wanted) {
    const got = await store.getRange(key, offset, length);
    if (Buffer.compare(got, body.subarray(from, to)) !== 0) {
      throw unsafe("range reads", `${length} bytes from ${offset} are not the bytes that were written`);
    }
  }
  const head = await store.head(key);
  if (head?.size !== body.length) throw unsafe("head", `says ${head?.size ?? "nothing"} of ${body.length} bytes`);
}

async function listing(store: ObjectStore, folder: string, races: number): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of store.list(`${folder}/`)) keys.push(key);
  if (keys.length !== races + 1) throw unsafe("list", `shows ${keys.length} of ${races + 1} objects just written`);
  await store.delete(`${folder}/range`);
  await store.delete(`${folder}/range`);
  if ((await store.head(`${folder}/range`)) !== null) throw unsafe("delete", "a deleted object is still there");
}
