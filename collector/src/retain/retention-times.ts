import { parsePackKey, RUNS_PREFIX } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import type { ExpiryRule } from "../store/native-expiry.ts";

const DAY = 86_400_000;

export type ExpiringClass = Exclude<RetentionClass, "keep">;
/** How long a class is kept, milliseconds. `keep` is for ever. */
export type RetentionTimes = Readonly<Record<ExpiringClass, number>>;

export const EXPIRING: readonly ExpiringClass[] = ["short", "sample"];

export const classPrefix = (of: RetentionClass): string => `${RUNS_PREFIX}${of}/`;

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
