import type { CollectorConfig } from "../config-schema.ts";
import { classPrefix } from "../retain/retention-times.ts";
import { openStore, type OpenedStore } from "../store/open-store.ts";
import { probeStore } from "../store/probe-store.ts";
import { fail, pass, type ServerCheck } from "./server-check.ts";

/** Few writers: it is asked whether the store can be used, which each start asks again with more. */
const PROBE = { writers: 8, races: 1 };

/** Throws `StoreError` where it does not answer, refuses the credentials, or fails in what safety rests on. */
export async function checkStore({ store, s3 }: Pick<CollectorConfig, "store" | "s3">): Promise<ServerCheck[]> {
  const opened = await openStore(store, s3);
  try {
    await probeStore(opened.store, PROBE);
    const { versioning, objectLock } = await opened.features();
    const works = pass(
      "store",
      `${opened.place}: writes, reads, lists and removes objects; a conditional write has one winner`,
    );
    const has = pass("store-features", `versioning ${versioning}, object lock ${objectLock}`);
    return [works, has, ...(await lifecycle(opened, s3.acceptForeignLifecycle))];
  } finally {
    opened.close();
  }
}

async function lifecycle({ expiry, place }: OpenedStore, accepts: boolean): Promise<ServerCheck[]> {
  const found = await expiry?.foreign(classPrefix("keep"));
  if (!found || found.length === 0 || accepts) return [];
  return found.map(({ id, does, prefix }) =>
    fail(
      "store-lifecycle",
      `${place}: rule ${JSON.stringify(id)} ${does} objects below ${JSON.stringify(prefix)}, and with them runs that are to be kept`,
      "take the rule off this prefix, or start with --accept-foreign-lifecycle",
    ),
  );
}
