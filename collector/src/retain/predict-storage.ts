import type { RetentionClass } from "@reenact/envelope/schema";
import type { RetentionTimes } from "./retention-times.ts";
import { monthlyCost, type StoragePrice } from "./storage-price.ts";

const DAY = 86_400_000;
/** How much comes is measured over so many days. */
const MEASURED = 7;
const YEAR = 365;

export interface StoredPack {
  readonly class: RetentionClass;
  /** UTC day of receipt, `yyyy-mm-dd` */
  readonly day: string;
  readonly bytes: number;
}

export interface Prediction {
  readonly bytesPerDay: number;
  /** `short` and `sample`: once as much goes as comes; `keep`: in a year */
  readonly bytes: number;
  readonly usdPerMonth: number;
}

interface Asked {
  /** how long a class is to be kept */
  readonly times: RetentionTimes;
  /** by which the packs that are there were kept */
  readonly kept: RetentionTimes;
  /** share of runs in `sample`; null: as it is */
  readonly sampleShare: number | null;
  readonly price: StoragePrice;
  /** milliseconds since the epoch */
  readonly now: number;
}

/**
 * What each class will hold if as much comes each day as came in the last days. Rules that choose `short` or `sample` are counted as if the
 * share of the sample chose between them.
 */
export function predictStorage(
  packs: readonly StoredPack[],
  { times, kept, sampleShare, price, now }: Asked,
): Record<RetentionClass, Prediction> {
  const perDay = (of: RetentionClass): number =>
    comesPerDay(
      packs.filter((pack) => pack.class === of),
      of === "keep" ? Infinity : kept[of],
      now,
    );
  const measured = { short: perDay("short"), sample: perDay("sample"), keep: perDay("keep") };
  const both = measured.short + measured.sample;
  const coming =
    sampleShare === null ? measured : { ...measured, short: both * (1 - sampleShare), sample: both * sampleShare };
  const there = packs.reduce((sum, pack) => sum + (pack.class === "keep" ? pack.bytes : 0), 0);
  const holds = {
    short: (coming.short * times.short) / DAY,
    sample: (coming.sample * times.sample) / DAY,
    keep: there + coming.keep * YEAR,
  };
  const predicted = (of: RetentionClass): Prediction => ({
    bytesPerDay: Math.round(coming[of]),
    bytes: Math.round(holds[of]),
    usdPerMonth: monthlyCost(holds[of], price),
  });
  return { short: predicted("short"), sample: predicted("sample"), keep: predicted("keep") };
}

/** Bytes a day, over the days that a class still has; at least one day, so that a first minute predicts no year. */
function comesPerDay(packs: readonly StoredPack[], keptFor: number, now: number): number {
  const since = now - Math.max(1, Math.min(MEASURED, keptFor / DAY)) * DAY;
  const recent = packs.filter(({ day }) => startOf(day) + DAY > since);
  const first = recent.reduce((least, { day }) => Math.min(least, startOf(day)), now);
  return recent.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(1, (now - first) / DAY);
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
