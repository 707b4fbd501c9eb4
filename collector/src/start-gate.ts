import type { CatalogPhase } from "./bring-catalog.ts";
import type { StorePhase } from "./bring-store.ts";

/** What refuses the start is waited for so long before the port opens, milliseconds … */
const DECIDES_MS = 3_000;
/** … and so long where another collector is asked whether it runs still: an owner looks each five seconds. */
const ANSWERS_MS = 8_000;

/** A catalog that is made again sooner is waited for. */
const REBUILT_MS = 1_000;

/** Says when the port may open: once all is there, or as soon as it is known that something will take its time. */
export function createStartGate() {
  const slow = Promise.withResolvers<void>();
  let asking = false;
  return {
    store(phase: StorePhase): void {
      asking = phase === "asking";
      if (phase === "away") slow.resolve();
    },
    catalog(phase: CatalogPhase, why: string | null): void {
      if (why !== null) slow.resolve();
      else if (phase === "rebuilding") setTimeout(slow.resolve, REBUILT_MS).unref();
    },
    /** Rejects as `begun` does, if it does so in time. */
    async open(begun: Promise<void>): Promise<void> {
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
