import type { ObjectStore } from "../../../store/object-store.ts";

/** Below it lie the bodies of records that the topic does not take, by the day (UTC) on which they were received. */
const STAGING_PREFIX = "v1/staging/";

/** The same body of another day is another object: what is swept a time after its day is named by no later record. */
export const stagedKey = (digest: string, receivedAt: number): string =>
  `${STAGING_PREFIX}${new Date(receivedAt).toISOString().slice(0, 10)}/${digest}`;

const DAY = 86_400_000;
/** The brokers remove records by the segment: the last of one keeps the others for at most a week longer, as `segment.ms` is by default. */
const SEGMENT_MS = 7 * DAY;

/** Removes bodies whose records the brokers have removed; `retentionMs` is the topic's. Resolves to their number. */
export async function sweepStaging(
  store: Pick<ObjectStore, "list" | "delete">,
  { retentionMs, now }: { readonly retentionMs: number; readonly now: number },
): Promise<number> {
  let removed = 0;
  for await (const { key } of store.list(STAGING_PREFIX)) {
    const day = Date.parse(key.slice(STAGING_PREFIX.length).split("/")[0]!);
    // keys are in the order of their days
    if (!(day + DAY + retentionMs + SEGMENT_MS < now)) return removed;
    await store.delete(key);
    removed++;
  }
  return removed;
}
