import { packDay, parsePackKey, RUNS_PREFIX } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import type { ExpiryRule } from "../store/native-expiry.ts";

const DAY = 86_400_000;

export type ExpiringClass = Exclude<RetentionClass, "keep">;
/** How long a class is kept, milliseconds. `keep` is for ever. */
export type RetentionTimes = Readonly<Record<ExpiringClass, number>>;

export const EXPIRING: readonly ExpiringClass[] = ["short", "sample"];

export const classPrefix = (of: RetentionClass): string => `${RUNS_PREFIX}${of}/`;

/** A run that comes back into a class that expires stays at least so long, or for the class's time if that is shorter. */
export const LOWERED_GRACE = 7 * DAY;

/** The start of the retention time of a run that came into a class at `now`, such that it stays for the grace. Null: no expiry. */
export function countFromFor(kept: RetentionClass, now: number, times: RetentionTimes): number | null {
  return kept === "keep" ? null : now + Math.min(LOWERED_GRACE, times[kept]) - times[kept];
}

/** The UTC day in whose pack a run goes: of receiving, or from when its class's time counts. */
export const receiptDay = ({ last, countFrom = 0 }: { last: number; countFrom?: number | undefined }): string =>
  packDay(Math.max(last, countFrom));

/** When a pack may go: the end of its day of receipt, and the class's time. Null: never. */
export function expiryOf(key: string, times: RetentionTimes): number | null {
  const pack = parsePackKey(key);
  if (!pack || pack.class === "keep") return null;
  return Date.parse(`${pack.day}T00:00:00Z`) + DAY + times[pack.class];
}

/**
 * Rules for the store itself, one day and more behind the sweep: they are for the time when no collector runs. A pack may
 * be written long after its day, so its own age is never the smaller one.
 */
export const nativeRules = (times: RetentionTimes): ExpiryRule[] =>
  EXPIRING.map((of) => ({ prefix: classPrefix(of), days: Math.ceil(times[of] / DAY) + 2 }));
