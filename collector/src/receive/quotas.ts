import type { Identity } from "./keys.ts";

/** What one key may send; what is absent is not bounded. */
export interface Quota {
  readonly requestsPerSecond?: number | undefined;
  /** as they come, packed */
  readonly bytesPerSecond?: number | undefined;
}

export interface Quotas {
  /** Counts a request. null: it may come; else the seconds after which the next may. */
  ask(identity: Identity): number | null;
  /** Counts bytes that came; more than there are is a debt, which `ask` waits for. */
  charge(identity: Identity, bytes: number): void;
}

/** A key that was quiet may send so many seconds' worth at once. */
const BURST_S = 10;
const LONGEST_WAIT_S = 3600;

interface Levels {
  requests: number;
  bytes: number;
  at: number;
}

/** `now`: milliseconds of a clock that only goes on. */
export function createQuotas(now: () => number = () => performance.now()): Quotas {
  const levels = new Map<string, Levels>();

  function levelsOf(identity: Identity): Levels {
    const { requestsPerSecond: requests = Infinity, bytesPerSecond: bytes = Infinity } = identity.quota ?? {};
    const name = `${identity.tenant}/${identity.key}`;
    const time = now();
    // a whole request must fit, however low the rate is
    const most = { requests: Math.max(1, requests * BURST_S), bytes: bytes * BURST_S };
    const had = levels.get(name) ?? { ...most, at: time };
    const passed = (time - had.at) / 1000;
    const level = {
      requests: Math.min(most.requests, had.requests + passed * requests),
      bytes: Math.min(most.bytes, had.bytes + passed * bytes),
      at: time,
    };
    levels.set(name, level);
    return level;
  }

  return {
    ask(identity) {
      const { quota } = identity;
      if (quota === undefined) return null;
      const level = levelsOf(identity);
      const { requestsPerSecond = Infinity, bytesPerSecond = Infinity } = quota;
      const wait = Math.max((1 - level.requests) / requestsPerSecond, -level.bytes / bytesPerSecond);
      if (wait > 0) return Math.min(LONGEST_WAIT_S, Math.ceil(wait));
      level.requests--;
      return null;
    },
    charge(identity, bytes) {
      if (identity.quota?.bytesPerSecond !== undefined) levelsOf(identity).bytes -= bytes;
    },
  };
}
