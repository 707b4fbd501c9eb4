import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { ForeignRule } from "../foreign-rule.ts";
import type { ExpiryRule, NativeExpiry } from "../native-expiry.ts";
import { StoreError } from "../store-error.ts";
import { isUnsupported, statusOf, storeErrorOf } from "./s3-error.ts";

const OURS = "reenact-";
/** The keys that the collector's own rules expire, below its prefix. */
const EXPIRED = ["v1/runs/short/", "v1/runs/sample/"];
/** Another collector of the bucket may write the rules at the same time: the last write wins, and the other one is repeated. */
const TRIES = 6;
/** Storage that is read like any other. */
const AT_HAND = new Set([
  "STANDARD",
  "STANDARD_IA",
  "ONEZONE_IA",
  "INTELLIGENT_TIERING",
  "GLACIER_IR",
  "REDUCED_REDUNDANCY",
]);

/** Lifecycle rules of a bucket. Ours are those below `prefix` whose id begins with `reenact-`. */
export function createLifecycle(client: S3Client, bucket: string, prefix: string): NativeExpiry {
  const what = `lifecycle rules of bucket ${bucket}`;
  const isOurs = (rule: LifecycleRule) =>
    rule.ID?.startsWith(OURS) === true && EXPIRED.some((below) => prefixOf(rule) === prefix + below);

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
        const ours = wanted.flatMap((rule) => rulesOf(rule, prefix));
        for (let attempt = 1; ; attempt++) {
          const before = await current();
          const Rules = [...before.filter((rule) => !isOurs(rule)), ...ours];
          // what is there already is not written again: it would take back what another one writes just now
          if (!isInstalled(before, ours) || before.length !== Rules.length) {
            const LifecycleConfiguration = { Rules };
            await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration }));
          }
          const stored = await current();
          if (isInstalled(stored, ours)) return true;
          if (attempt === TRIES) {
            const missing = ours.find((rule) => !stored.some((each) => isEqual(each, rule)));
            throw new StoreError("UNSAFE", what, `rule ${missing?.ID} was taken and is not there`);
          }
          await pause(50 * 2 ** attempt * (0.5 + Math.random()));
        }
      } catch (error) {
        if (isUnsupported(error)) return false;
        throw storeErrorOf(error, what);
      }
    },
    async foreign(below) {
      try {
        const found: ForeignRule[] = [];
        for (const rule of await current()) {
          const does = doneBy(rule);
          if (isOurs(rule) || rule.Status !== "Enabled" || does === null || hasTag(rule)) continue;
          const of = prefixOf(rule);
          const covered = prefix + below;
          if (covered.startsWith(of) || of.startsWith(covered)) found.push({ id: rule.ID ?? "", prefix: of, does });
        }
        return found;
      } catch (error) {
        if (isUnsupported(error)) return [];
        throw storeErrorOf(error, what);
      }
    },
  };
}

const prefixOf = (rule: LifecycleRule): string =>
  // oxlint-disable-next-line typescript/no-deprecated -- rules that were made long ago have it here
  rule.Filter?.Prefix ?? rule.Filter?.And?.Prefix ?? rule.Prefix ?? "";

/** Objects of ours have no tags. */
const hasTag = ({ Filter }: LifecycleRule): boolean =>
  Filter?.Tag !== undefined || (Filter?.And?.Tags !== undefined && Filter.And.Tags.length > 0);

/** null: it leaves the newest version of an object where it can be read. */
function doneBy({ Expiration, Transitions }: LifecycleRule): ForeignRule["does"] | null {
  if (Expiration?.Days !== undefined || Expiration?.Date !== undefined) return "deletes";
  const archived = Transitions?.some(({ StorageClass }) => StorageClass !== undefined && !AT_HAND.has(StorageClass));
  return archived === true ? "archives" : null;
}

const isInstalled = (stored: readonly LifecycleRule[], ours: readonly LifecycleRule[]): boolean =>
  ours.every((rule) => stored.some((each) => isEqual(each, rule)));

/**
 * Two rules a prefix: expiry of objects and of their hidden versions, and of the markers that hide nothing any more (a
 * rule may not say both).
 */
function rulesOf({ prefix, days }: ExpiryRule, above: string): LifecycleRule[] {
  // several collectors may share a bucket, each below a prefix of its own
  const place = hash("sha256", above).slice(0, 8);
  const name = `${OURS}${place}-${prefix.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "")}`;
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

const isEqual = (stored: LifecycleRule, wanted: LifecycleRule): boolean =>
  isDeepStrictEqual(factsOf(stored), factsOf(wanted));

/** What counts of a rule of ours, however a server gives it back. */
function factsOf({ ID, Status, Filter, Expiration, NoncurrentVersionExpiration }: LifecycleRule) {
  return {
    ID,
    Status,
    prefix: Filter?.Prefix,
    days: Expiration?.Days,
    markers: Expiration?.ExpiredObjectDeleteMarker ?? false,
    hiddenDays: NoncurrentVersionExpiration?.NoncurrentDays,
  };
}
