import type { Log } from "../log.ts";
import type { PayloadRead } from "./settings-schema.ts";

/** Reads that are remembered. */
const MOST = 1000;

/** The last reads of payloads, of all tenants. */
export interface PayloadReads {
  /** milliseconds since the epoch */
  readonly since: number;
  /** Those of one tenant, the newest first. */
  list(tenant: string, most: number): PayloadRead[];
}

/** Remembers the reads that are logged. Returns the log to be used in place of the given one. */
export function rememberReads(
  log: Log,
  now: () => number = Date.now,
): { readonly log: Log; readonly reads: PayloadReads } {
  const kept: (PayloadRead & { readonly tenant: string })[] = [];
  const since = now();
  return {
    log(level, event, fields = {}) {
      if (event === "api.payload-read") {
        const [caller, run, what, tenant] = ["caller", "run", "what", "tenant"].map((name) => String(fields[name]));
        kept.push({ at: now(), caller: caller!, run: run!, what: what!, tenant: tenant! });
        if (kept.length > MOST) kept.shift();
      }
      log(level, event, fields);
    },
    reads: {
      since,
      list: (tenant, most) =>
        kept
          .filter((read) => read.tenant === tenant)
          .slice(-most)
          .toReversed()
          .map(({ at, caller, run, what }) => ({ at, caller, run, what })),
    },
  };
}
