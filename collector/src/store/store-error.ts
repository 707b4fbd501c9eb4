export type StoreErrorCode =
  | "BAD_KEY"
  | "NO_OBJECT"
  | "BAD_RANGE"
  | "UNAVAILABLE"
  | "DENIED"
  | "NO_BUCKET"
  | "NO_DRIVER"
  | "FULL"
  | "UNSAFE"
  | "FOREIGN_LIFECYCLE"
  | "TAKEN"
  | "DAMAGED";

const NEXT: Record<StoreErrorCode, string> = {
  BAD_KEY: "this is a bug in the caller: report it",
  NO_OBJECT: "it has expired or was never written; see `reenact ls`",
  BAD_RANGE: "rebuild the catalog: `reenact catalog rebuild`",
  UNAVAILABLE: "nothing to do: it is tried again; if it lasts, look at the store",
  DENIED: "check the credentials and the policy of the bucket",
  NO_BUCKET: "create the bucket, or correct its name in the configuration",
  NO_DRIVER: "npm install @aws-sdk/client-s3 @aws-sdk/lib-storage",
  FULL: "free disk space, or shorten the retention of `short`",
  UNSAFE: "use another store: acknowledged runs could be lost in this one",
  FOREIGN_LIFECYCLE:
    "take the rule off these prefixes, or give runs a bucket of their own; --accept-foreign-lifecycle starts all the same",
  TAKEN: "stop the other collector, or give this one a store or prefix of its own",
  DAMAGED: "restore the object from a backup or a version",
};

/** The one error of a store. `retryable`: the same call may succeed later. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** what was tried, with its key */
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly retryable: boolean;

  constructor(code: StoreErrorCode, what: string, why: string, options: { cause?: unknown } = {}) {
    super(`${what}: ${why}`, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "StoreError";
    this.code = code;
    this.what = what;
    this.why = why;
    this.next = NEXT[code];
    this.retryable = code === "UNAVAILABLE" || code === "FULL";
  }

  /** An error of ours as it is, anything else as `UNAVAILABLE`: the caller keeps what it has and tries again. */
  static from(error: unknown, what: string): StoreError {
    if (error instanceof StoreError) return error;
    return new StoreError("UNAVAILABLE", what, error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
