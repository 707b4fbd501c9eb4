import {
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { ExpiryRule, NativeExpiry } from "../native-expiry.ts";
import { StoreError } from "../store-error.ts";
import { isUnsupported, statusOf, storeErrorOf } from "./s3-error.ts";

const OURS = "reenact-";

/** Lifecycle rules of a bucket: ours are those whose id begins with `reenact-`. */
export function createLifecycle(client: S3Client, bucket: string, prefix: string): NativeExpiry {
  const what = `lifecycle rules of bucket ${bucket}`;

  async function current(): Promise<LifecycleRule[]> {
    try {
      const { Rules } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket }));
      return Rules ?? [];
    } catch (error) {
      if ((error as Error).name === "NoSuchLifecycleConfiguration" || statusOf(error) === 404) return [];
      throw error;
    }
  }

  return {
    async install(wanted) {
      try {
        const others = (await current()).filter(({ ID }) => !ID?.startsWith(OURS));
        const ours = wanted.flatMap((rule) => rulesOf(rule, prefix));
        await client.send(
          new PutBucketLifecycleConfigurationCommand({
            Bucket: bucket,
            LifecycleConfiguration: { Rules: [...others, ...ours] },
          }),
        );
        const stored = await current();
        const missing = ours.find((rule) => !stored.some((each) => isEqual(each, rule)));
        if (missing) throw new StoreError("UNSAFE", what, `rule ${missing.ID} was taken and is not there`);
        return true;
      } catch (error) {
        if (isUnsupported(error)) return false;
        throw storeErrorOf(error, what);
      }
    },
  };
}

/**
 * Two rules a prefix: expiry of objects and of their hidden versions, and of the markers that hide nothing any more (a
 * rule may not say both).
 */
function rulesOf({ prefix, days }: ExpiryRule, above: string): LifecycleRule[] {
  const name = OURS + prefix.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "");
  const Filter = { Prefix: above + prefix };
  return [
    {
      ID: `${name}-expiry`,
      Status: "Enabled",
      Filter,
      Expiration: { Days: days },
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    },
    { ID: `${name}-markers`, Status: "Enabled", Filter, Expiration: { ExpiredObjectDeleteMarker: true } },
  ];
}

function isEqual(stored: LifecycleRule, wanted: LifecycleRule): boolean {
  return (
    stored.ID === wanted.ID &&
    stored.Status === wanted.Status &&
    stored.Filter?.Prefix === wanted.Filter?.Prefix &&
    stored.Expiration?.Days === wanted.Expiration?.Days &&
    (stored.Expiration?.ExpiredObjectDeleteMarker ?? false) ===
      (wanted.Expiration?.ExpiredObjectDeleteMarker ?? false) &&
    stored.NoncurrentVersionExpiration?.NoncurrentDays === wanted.NoncurrentVersionExpiration?.NoncurrentDays
  );
}
