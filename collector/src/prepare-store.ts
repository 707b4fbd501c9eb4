import type { CollectorConfig } from "./config-schema.ts";
import type { Log } from "./log.ts";
import { classPrefix } from "./retain/retention-times.ts";
import { UNSEALED_PREFIX } from "./seal/set-aside.ts";
import { storeIdentity } from "./store-identity.ts";
import type { OpenedStore } from "./store/open-store.ts";
import { probeStore } from "./store/probe-store.ts";
import { StoreError } from "./store/store-error.ts";
import type { StoreFeatures } from "./store/store-features.ts";
import { ownStore, type StoreOwner } from "./store/store-owner.ts";

export interface PreparedStore {
  readonly owner: StoreOwner;
  readonly features: StoreFeatures;
}

/**
 * Tries the store, reads the bucket's own rules, and makes this collector its owner; the data folder must be locked by
 * now. Throws `StoreError`: `UNSAFE`, `FOREIGN_LIFECYCLE`, `TAKEN`, or as the store does.
 */
export async function prepareStore(
  opened: OpenedStore,
  config: Pick<CollectorConfig, "data" | "s3">,
  { log, onLost }: { readonly log: Log; readonly onLost: (error: StoreError) => void },
): Promise<PreparedStore> {
  const probe = await probeStore(opened.store);
  const features = await opened.features();
  log("info", "store.probed", { store: opened.place, ...probe, ...features });
  await checkLifecycle(opened, config.s3.acceptForeignLifecycle, log);
  const owner = await ownStore(opened.store, { ...storeIdentity(config.data), onLost });
  log("info", "store.owned", { store: opened.place, epoch: owner.epoch });
  return { owner, features };
}

/** What is to be kept for ever must not be taken away by a rule of somebody else. */
async function checkLifecycle({ expiry, place }: OpenedStore, accept: boolean, log: Log): Promise<void> {
  if (expiry === null) return;
  for (const prefix of [classPrefix("keep"), UNSEALED_PREFIX, classPrefix("short"), classPrefix("sample")]) {
    let found: Awaited<ReturnType<typeof expiry.foreign>>;
    try {
      found = await expiry.foreign(prefix);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "DENIED") throw error;
      return log("warn", "store.lifecycle-unread", { store: place, error });
    }
    for (const rule of found) {
      const why = `lifecycle rule ${JSON.stringify(rule.id)} ${rule.does} objects below ${JSON.stringify(rule.prefix)}`;
      if (prefix === classPrefix("keep") && !accept)
        throw new StoreError("FOREIGN_LIFECYCLE", place, `${why}, and with them runs that are to be kept for ever`);
      log("warn", "store.foreign-lifecycle", {
        store: place,
        rule: rule.id,
        does: rule.does,
        prefix: rule.prefix,
        takes: prefix,
      });
    }
  }
}
