import { expect, test } from "vitest";
import { predictStorage, type StoredPack } from "./predict-storage.ts";

const DAY = 86_400_000;
const now = Date.parse("2026-11-20T12:00:00Z");
const times = { short: 30 * DAY, sample: 180 * DAY };
const price = { usdPerGbMonth: 0.5, source: "this test" };
const usual = { times, kept: times, sampleShare: null, price, now };
/** A pack of each of the last days, today included. */
const daily = (of: StoredPack["class"], bytes: number, days = 10): StoredPack[] =>
  Array.from({ length: days }, (_, n) => ({
    class: of,
    day: new Date(now - n * DAY).toISOString().slice(0, 10),
    bytes,
  }));

test("a class that expires holds what comes in its time, one that is kept grows by a year", () => {
  const { short, sample, keep } = predictStorage(
    [...daily("short", 750), ...daily("sample", 75), ...daily("keep", 15)],
    usual,
  );
  // eight packs in seven days and a half
  expect(short.bytesPerDay).toBe(800);
  expect(short.bytes).toBe(24_000);
  expect(sample.bytes).toBe(14_400);
  expect(keep).toEqual({ bytesPerDay: 16, bytes: 150 + 16 * 365, usdPerMonth: ((150 + 16 * 365) / 1e9) * 0.5 });
});

test("other times and another share of the sample change what will be held, not what comes", () => {
  const packs = [...daily("short", 750), ...daily("sample", 750)];
  const asked = predictStorage(packs, { ...usual, times: { short: DAY, sample: 2 * DAY }, sampleShare: 0.25 });
  expect(asked.short).toMatchObject({ bytesPerDay: 1200, bytes: 1200 });
  expect(asked.sample).toMatchObject({ bytesPerDay: 400, bytes: 800 });
});

test("a store of one hour does not predict a year by that hour; an empty one predicts nothing", () => {
  const { short, keep } = predictStorage([{ class: "short", day: "2026-11-20", bytes: 900 }], usual);
  expect(short.bytesPerDay).toBe(900);
  expect(keep).toEqual({ bytesPerDay: 0, bytes: 0, usdPerMonth: 0 });
});

test("a class that is kept for two days is measured over two, since older packs are gone", () => {
  const kept = { ...times, short: 2 * DAY };
  const { short } = predictStorage(daily("short", 100, 3), { ...usual, kept, times: kept });
  expect(short.bytesPerDay).toBe(120);
});
