import { createReadStream } from "node:fs";
import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { createHash } from "node:crypto";
import type { NativeExpiry } from "../native-expiry.ts";
import { bodyDigest, wholeBody } from "../object-body.ts";
import { objectKey } from "../object-key.ts";
import type { ObjectBody, ObjectStore, PutOutcome, ReadStore } from "../object-store.ts";
import { StoreError } from "../store-error.ts";
import type { StoreFeatures } from "../store-features.ts";
import { createS3Client, type S3Options } from "./s3-client.ts";
import { isConflict, isMissing, isNotFound, isTaken, isUnsupported, storeErrorOf } from "./s3-error.ts";
import { probeS3Features } from "./s3-features.ts";
import { createLifecycle } from "./s3-lifecycle.ts";

const DIGEST = "sha256";
const CONFLICTS = 6;

export interface S3Store {
  readonly store: ObjectStore;
  readonly expiry: NativeExpiry;
  features(): Promise<StoreFeatures>;
  /** deleted objects live on as versions, unless they are removed one by one (`delete` does) */
  readonly versioned: boolean;
  close(): void;
}

/** Objects in a bucket that exists. Throws `NO_BUCKET` or `DENIED` at once if it cannot be used; also throws once `signal` aborts. */
export async function openS3Store(options: S3Options, signal?: AbortSignal): Promise<S3Store> {
  const client = createS3Client(options);
  const versioned = await isVersioned(client, options.bucket, signal).catch((error: unknown) => {
    client.destroy();
    throw error;
  });
  const prefix = options.prefix ?? "";
  const store = createStore(client, { bucket: options.bucket, prefix, versioned, partBytes: options.partBytes });
  const expiry = createLifecycle(client, options.bucket, prefix);
  const features = () => probeS3Features(client, options.bucket, prefix);
  return { store, expiry, features, versioned, close: () => client.destroy() };
}

/** To read only: asks for no right but to list and to get objects. */
export function readS3Store(options: S3Options): { readonly store: ReadStore; close(): void } {
  const client = createS3Client(options);
  const place = { bucket: options.bucket, prefix: options.prefix ?? "", versioned: false, partBytes: undefined };
  return { store: createStore(client, place), close: () => client.destroy() };
}

async function isVersioned(client: S3Client, bucket: string, signal?: AbortSignal): Promise<boolean> {
  try {
    const asked = new GetBucketVersioningCommand({ Bucket: bucket });
    const { Status } = await client.send(asked, signal && { abortSignal: signal });
    return Status !== undefined;
  } catch (error) {
    if (isUnsupported(error)) return false;
    throw storeErrorOf(error, `bucket ${bucket}`);
  }
}

interface Place {
  readonly bucket: string;
  readonly prefix: string;
  readonly versioned: boolean;
  readonly partBytes: number | undefined;
}

function createStore(client: S3Client, place: Place): ObjectStore {
  const { bucket, prefix } = place;
  const partBytes = place.partBytes ?? 16 * 1024 ** 2;
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + objectKey(key) });

  async function write(key: string, body: ObjectBody, digest: string, onlyIfAbsent: boolean): Promise<void> {
    const common = {
      ...at(key),
      Metadata: { [DIGEST]: digest },
      ...(onlyIfAbsent && { IfNoneMatch: "*" }),
    };
    if (body.length <= partBytes) {
      const put = await client.send(new PutObjectCommand({ ...common, Body: await wholeBody(body) }));
      return ofStore(put.ETag, `put ${key}`);
    }
    const Body = body instanceof Uint8Array ? body : createReadStream(body.path, { end: body.length - 1 });
    const put = await new Upload({ client, params: { ...common, Body }, partSize: partBytes, queueSize: 2 }).done();
    ofStore(put.ETag, `put ${key}`);
  }

  /** null: the object is gone again. */
  async function compare(key: string, body: ObjectBody, digest: string): Promise<PutOutcome | null> {
    try {
      const found = await client.send(new HeadObjectCommand(at(key)));
      ofStore(found.ETag, `head ${key}`);
      if (found.ContentLength !== body.length) return "different";
      const stored = found.Metadata?.[DIGEST] ?? (await storedDigest(key));
      return stored === digest ? "same" : "different";
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  /** Rejects unless the store says that there is no such object. */
  async function assertMissing(key: string): Promise<void> {
    try {
      const { Body } = await client.send(new GetObjectCommand({ ...at(key), Range: "bytes=0-0" }));
      await Body?.transformToByteArray();
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    throw new StoreError("UNAVAILABLE", `head ${key}`, "HEAD is answered with 404, and GET with the object");
  }

  async function storedDigest(key: string): Promise<string> {
    const { Body } = await client.send(new GetObjectCommand(at(key)));
    const sum = createHash("sha256");
    for await (const piece of Body as AsyncIterable<Uint8Array>) sum.update(piece);
    return sum.digest("hex");
  }

  return {
    put: (key, body) => writing(key, async () => write(key, body, await bodyDigest(body), false)),
    putIfAbsent: (key, body) =>
      writing(key, async () => {
        const digest = await bodyDigest(body);
        for (let attempt = 1; ; attempt++) {
          try {
            await write(key, body, digest, true);
            return "created";
          } catch (error) {
            // The SDK repeats a write whose answer it did not get: then "taken" may speak of our own object.
            const outcome = isTaken(error) ? await compare(key, body, digest) : null;
            if (outcome !== null) return outcome;
            if (!(isTaken(error) || isConflict(error)) || attempt === CONFLICTS) throw error;
            await pause(20 * 2 ** attempt * (0.5 + Math.random()));
          }
        }
      }),
    getRange: (key, offset, length) =>
      named(`get ${key}`, async () => {
        if (length === 0) return new Uint8Array();
        const Range = offset < 0 ? `bytes=${offset}` : `bytes=${offset}-${offset + length - 1}`;
        const { Body, ContentLength, ETag } = await client.send(new GetObjectCommand({ ...at(key), Range }));
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
        ofStore(ETag, `get ${key}`);
        if (ContentLength !== undefined && ContentLength !== bytes.length) {
          throw new StoreError("UNAVAILABLE", `get ${key}`, `${bytes.length} of ${ContentLength} bytes came`);
        }
        return bytes.subarray(0, length);
      }),
    head: (key) =>
      named(`head ${key}`, async () => {
        try {
          const found = await client.send(new HeadObjectCommand(at(key)));
          ofStore(found.ETag, `head ${key}`);
          return { key, size: found.ContentLength ?? 0, modified: found.LastModified?.getTime() ?? 0 };
        } catch (error) {
          if (!isNotFound(error)) throw error;
          await assertMissing(key);
          return null;
        }
      }),
    async *list(below, after) {
      let token: string | undefined;
      do {
        const page = await named(`list ${below}`, () =>
          client.send(
            new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: prefix + below,
              ...(token === undefined ? after && { StartAfter: prefix + after } : { ContinuationToken: token }),
            }),
          ),
        );
        ofStore(page.Name ?? page.Contents, `list ${below}`);
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          if (Key === undefined) continue;
          yield { key: Key.slice(prefix.length), size: Size ?? 0, modified: LastModified?.getTime() ?? 0 };
        }
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
    },
    delete: (key) =>
      named(`delete ${key}`, async () => {
        if (!place.versioned) await client.send(new DeleteObjectCommand(at(key)));
        else await deleteVersions(client, at(key));
      }),
  };
}

/** Deletes all versions of an object: in a versioned bucket a plain delete only hides it. */
async function deleteVersions(client: S3Client, { Bucket, Key }: { Bucket: string; Key: string }): Promise<void> {
  let marker: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
  for (;;) {
    const page = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: Key, ...marker }));
    for (const each of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])]) {
      if (each.Key !== Key) continue;
      await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId: each.VersionId }));
    }
    if (!page.IsTruncated) return;
    marker = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
}

/** Every server of objects answers with this: 200 without it is a page of a proxy, and what was put would be nowhere. */
function ofStore(said: unknown, what: string): void {
  if (said === undefined) throw new StoreError("UNAVAILABLE", what, "200 that is not of a store: a proxy's page?");
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

async function named<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeErrorOf(error, what);
  }
}

/** Of a write no object can be missing: a 404 is of a proxy before the store, or of an upload in parts that was ended. It may pass. */
async function writing<T>(key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await named(`put ${key}`, work);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "NO_OBJECT") throw error;
    throw new StoreError("UNAVAILABLE", error.what, error.why, { cause: error.cause });
  }
}
