import { errorCode } from "@reenact/envelope";
import type { NativeExpiry } from "./native-expiry.ts";
import type { ObjectStore, ReadStore } from "./object-store.ts";
import { openDirectoryStore, readDirectoryStore } from "./drivers/directory.ts";
import { StoreError } from "./store-error.ts";
import { NO_FEATURES, type StoreFeatures } from "./store-features.ts";

export interface OpenedStore {
  readonly store: ObjectStore;
  /** null: nothing there expires by itself */
  readonly expiry: NativeExpiry | null;
  /** Tries what else it has; writes and removes a few small objects. Throws `StoreError`. */
  features(): Promise<StoreFeatures>;
  /** for people: where it is */
  readonly place: string;
  close(): void;
}

/** Settings of an S3-compatible server; absent: AWS, and what its SDK finds in the environment. */
interface S3Settings {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly pathStyle?: boolean | undefined;
}

/** `s3://bucket/prefix`, or a folder. The S3 client is loaded only for the former. Throws `StoreError`, also once `signal` aborts. */
export async function openStore(address: string, s3: S3Settings = {}, signal?: AbortSignal): Promise<OpenedStore> {
  if (isFolder(address))
    return {
      store: await openDirectoryStore(address),
      expiry: null,
      features: async () => NO_FEATURES,
      place: address,
      close: () => {},
    };
  const options = s3Options(address, s3);
  const { openS3Store } = await loadDriver();
  const opened = await openS3Store(options, signal);
  const { store, expiry, features } = opened;
  return { store, expiry, features, place: address, close: () => opened.close() };
}

/** The same, to read only: it makes and probes nothing. Throws `StoreError`. */
export async function openStoreToRead(
  address: string,
  s3: S3Settings = {},
): Promise<{ readonly store: ReadStore; close(): void }> {
  if (isFolder(address)) return { store: await readDirectoryStore(address), close: () => {} };
  const options = s3Options(address, s3);
  const { readS3Store } = await loadDriver();
  return readS3Store(options);
}

/** Throws `StoreError` for the address of something else: a folder of that name would keep runs where nobody looks. */
function isFolder(address: string): boolean {
  if (address.startsWith("s3://")) return false;
  if (/^[A-Za-z][A-Za-z0-9+.-]+:\//.test(address))
    throw new StoreError("NO_BUCKET", withoutUser(address), "is neither a folder nor s3://bucket/prefix");
  return true;
}

/** Some write a key and its secret there. */
const withoutUser = (address: string): string => address.replace(/\/\/.*@/s, "//…@");

function s3Options(address: string, s3: S3Settings) {
  const [, bucket = "", path = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === "") throw new StoreError("NO_BUCKET", withoutUser(address), "is not s3://bucket/prefix");
  const prefix = path.replace(/^\/+|\/+$/g, "");
  return {
    bucket,
    prefix: prefix === "" ? "" : `${prefix}/`,
    ...(s3.endpoint !== undefined && { endpoint: s3.endpoint }),
    ...(s3.region !== undefined && { region: s3.region }),
    ...(s3.pathStyle !== undefined && { pathStyle: s3.pathStyle }),
  };
}

async function loadDriver(): Promise<typeof import("./drivers/s3.ts")> {
  try {
    return await import("./drivers/s3.ts");
  } catch (cause) {
    const code = errorCode(cause);
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw cause;
    // the two packages are optional: a store in a folder works without them
    const why = "a store in a bucket needs @aws-sdk/client-s3 and @aws-sdk/lib-storage, and they are not installed";
    throw new StoreError("NO_DRIVER", "s3", why, { cause });
  }
}
