import { randomUUID } from "node:crypto";
import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  GetObjectLockConfigurationCommand,
  GetObjectTaggingCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectTaggingCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { StoreError } from "../store-error.ts";
import type { Feature, StoreFeatures } from "../store-features.ts";
import { isUnsupported, statusOf, storeErrorOf } from "./s3-error.ts";

/**
 * Tries each feature on objects of its own below `v1/probe/`, which are gone afterwards. Throws `StoreError`: `UNSAFE` if
 * the server says that it has one and does not do it.
 */
export async function probeS3Features(client: S3Client, bucket: string, prefix: string): Promise<StoreFeatures> {
  const at = () => ({ Bucket: bucket, Key: `${prefix}v1/probe/${randomUUID()}` });
  return {
    versioning: await tried("versioning", async () => {
      const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket: bucket }));
      return Status === "Enabled" ? "supported" : "off";
    }),
    tagging: await tried("tagging", () => tagging(client, at())),
    objectLock: await tried("Object Lock", () => objectLock(client, at())),
  };
}

interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

async function tagging(client: S3Client, place: Place): Promise<Feature> {
  const { VersionId } = await client.send(new PutObjectCommand({ ...place, Body: "tagged" }));
  try {
    const TagSet = [{ Key: "reenact", Value: "probe" }];
    await client.send(new PutObjectTaggingCommand({ ...place, Tagging: { TagSet } }));
    const stored = await client.send(new GetObjectTaggingCommand(place));
    if (stored.TagSet?.some(({ Key, Value }) => Key === "reenact" && Value === "probe")) return "supported";
    throw new StoreError("UNSAFE", "tagging", "a tag was taken and is not there");
  } finally {
    await client.send(new DeleteObjectCommand({ ...place, VersionId }));
  }
}

async function objectLock(client: S3Client, place: Place): Promise<Feature> {
  try {
    const found = await client.send(new GetObjectLockConfigurationCommand({ Bucket: place.Bucket }));
    if (found.ObjectLockConfiguration?.ObjectLockEnabled !== "Enabled") return "off";
  } catch (error) {
    if ((error as Error).name === "ObjectLockConfigurationNotFoundError" || statusOf(error) === 404) return "off";
    throw error;
  }
  const { VersionId } = await client.send(new PutObjectCommand({ ...place, Body: "held", ChecksumAlgorithm: "CRC32" }));
  const hold = (Status: "ON" | "OFF") =>
    client.send(
      new PutObjectLegalHoldCommand({ ...place, VersionId, LegalHold: { Status }, ChecksumAlgorithm: "CRC32" }),
    );
  const remove = () => client.send(new DeleteObjectCommand({ ...place, VersionId }));
  await hold("ON");
  const removed = await remove().then(
    () => true,
    (error: unknown) => {
      // one server says that it is locked with 400, another with 403
      if (statusOf(error) === 400 || statusOf(error) === 403) return false;
      throw error;
    },
  );
  if (removed) throw new StoreError("UNSAFE", "Object Lock", "an object under legal hold was removed");
  await hold("OFF");
  await remove();
  return "supported";
}

async function tried(what: string, work: () => Promise<Feature>): Promise<Feature> {
  try {
    return await work();
  } catch (error) {
    if (isUnsupported(error)) return "unsupported";
    const known = storeErrorOf(error, what);
    if (known.code === "DENIED") return "denied";
    throw known;
  }
}
