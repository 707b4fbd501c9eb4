import type { CatalogPhase } from "./bring-catalog.ts";
import type { StorePhase } from "./bring-store.ts";

/** The port stays closed for so long, so that a store that refuses the start does so first, milliseconds … */
const DECIDES_MS = 3_000;
/** … and for so long if the store's last owner is asked whether it still runs: an owner looks every five seconds. */
const ANSWERS_MS = 8_000;

/** … and for so long if the catalog is rebuilt. */
const REBUILT_MS = 1_000;

/** Decides when the port opens: once store and catalog are there, or as soon as one of them is known to take longer. */
export interface StartGate {
  store(phase: StorePhase): void;
  catalog(phase: CatalogPhase, why: string | null): void;
  /** Resolves when the port may open; rejects as `begun` does if that happens before. */
  open(begun: Promise<void>): Promise<void>;
}

export function createStartGate(): StartGate {
  const slow = Promise.withResolvers<void>();
  let asking = false;
  return {
    store(phase) {
      asking = phase === "asking";
      if (phase === "away") slow.resolve();
    },
    catalog(phase, why) {
      if (why !== null) slow.resolve();
      else if (phase === "rebuilding") setTimeout(slow.resolve, REBUILT_MS).unref();
    },
    async open(begun) {
      const timers = [
        setTimeout(() => {
          if (!asking) slow.resolve();
        }, DECIDES_MS),
        setTimeout(slow.resolve, ANSWERS_MS),
      ];
      await Promise.race([begun, slow.promise]).finally(() => timers.forEach(clearTimeout));
    },
  };
}
