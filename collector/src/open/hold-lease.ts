import { randomUUID } from "node:crypto";
import type { Catalog, Fence } from "../catalog/catalog.ts";
import type { Log } from "../log.ts";

/** A process that is not heard of for so long loses what it holds, milliseconds. */
const LEASE_MS = 30_000;
const RENEW_MS = 5_000;

export interface HeldLease {
  /** Resolves when no other process has it any more. What is committed for it then carries the fence. */
  readonly held: Promise<Fence>;
  /** Nobody waits for it any more. */
  cancel(): void;
  /** Another process may take it at once. */
  release(): Promise<void>;
}

/** Waits for the lease and renews it. `onLost` is called once, if it could not be renewed in time and another process has it now. */
export function holdLease(
  catalog: Pick<Catalog, "lease" | "fence">,
  name: string,
  { onLost, log }: { readonly onLost: () => void; readonly log: Log },
): HeldLease {
  const owner = randomUUID();
  const held = Promise.withResolvers<Fence>();
  let isHeld = false;
  let busy = false;

  async function look(): Promise<void> {
    const isMine = await catalog.lease(name, owner, LEASE_MS);
    if (isMine && !isHeld) {
      // without a fence nothing can be committed: it is asked for again at the next turn
      const epoch = await catalog.fence(name);
      isHeld = true;
      log("info", "lease.held", { lease: name });
      held.resolve({ name, epoch });
    } else if (!isMine && isHeld) {
      clearInterval(timer);
      log("error", "lease.lost", { lease: name });
      onLost();
    }
  }

  const turn = (): void => {
    if (busy) return;
    busy = true;
    look()
      .catch((error: unknown) => log("warn", "lease.unknown", { lease: name, error }))
      .finally(() => (busy = false));
  };
  const timer = setInterval(turn, RENEW_MS);
  turn();
  held.promise.catch(() => {});
  return {
    held: held.promise,
    cancel: () => held.reject(new Error("nobody waits for the lease any more")),
    async release() {
      clearInterval(timer);
      if (isHeld) await catalog.lease(name, owner, 0).catch(() => {});
    },
  };
}
