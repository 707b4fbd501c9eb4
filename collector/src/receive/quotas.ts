import type { Identity } from "./keys.ts";
import type { Quota } from "./quota.ts";

export interface Quotas {
  /** Counts a request. null: it may come; else the seconds after which the next may. */
  ask(identity: Identity): number | null;
  /** Counts bytes that came; more than there are is a debt, which `ask` waits for. */
  charge(identity: Identity, bytes: number): void;
}

/** A key that was quiet may send so many seconds' worth at once. */
const BURST_S = 10;
const LONGEST_WAIT_S = 3600;

/** A token bucket: `level` was left at the time `at`, never more than `most`. */
interface Bucket {
  readonly rate: number;
  readonly most: number;
  level: number;
  at: number;
}

/** `now`: milliseconds of a clock that only goes on. */
export function createQuotas(now: () => number = () => performance.now()): Quotas {
  const buckets = new Map<string, Bucket>();

  /** null: it is not bounded */
  function bucketOf({ tenant, key, quota }: Identity, kind: keyof Quota): Bucket | null {
    const rate = quota?.[kind];
    if (rate === undefined) return null;
    // a whole request must fit, however low the rate is
    const most = Math.max(1, rate * BURST_S);
    const name = `${kind} ${tenant} ${key}`;
    const time = now();
    const had = buckets.get(name);
    const level = had ? Math.min(most, had.level + ((time - had.at) / 1000) * rate) : most;
    const bucket = { rate, most, level, at: time };
    buckets.set(name, bucket);
    return bucket;
  }

  return {
    ask(identity) {
      const requests = bucketOf(identity, "requestsPerSecond");
      const bytes = bucketOf(identity, "bytesPerSecond");
      const wait = Math.max(
        requests === null ? 0 : (1 - requests.level) / requests.rate,
        bytes === null ? 0 : -bytes.level / bytes.rate,
      );
      if (wait > 0) return Math.min(LONGEST_WAIT_S, Math.ceil(wait));
      if (requests !== null) requests.level--;
      return null;
    },
    charge(identity, count) {
      const bytes = bucketOf(identity, "bytesPerSecond");
      if (bytes !== null) bytes.level -= count;
    },
  };
}
