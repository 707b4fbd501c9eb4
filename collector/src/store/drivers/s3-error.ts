import { StoreError, type StoreErrorCode } from "../store-error.ts";

interface ServiceFault {
  readonly name?: string;
  readonly Code?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

export const statusOf = (error: unknown): number => (error as ServiceFault).$metadata?.httpStatusCode ?? 0;
const nameOf = (error: unknown): string => (error as ServiceFault).name ?? "";

/** A condition of ours did not hold: the key is taken. */
export const isTaken = (error: unknown): boolean => statusOf(error) === 412 || nameOf(error) === "PreconditionFailed";

/** Two conditional writes met: neither is known to have won. */
export const isConflict = (error: unknown): boolean => statusOf(error) === 409;

/** The store has said that there is no such object. A bare 404 does not say so: a proxy before a store that is away gives one. */
export const isMissing = (error: unknown): boolean => nameOf(error) === "NoSuchKey";

/** 404, from whomever: an answer to HEAD has no body that could say more. */
export const isNotFound = (error: unknown): boolean => statusOf(error) === 404;

/** The server does not know this operation. */
export const isUnsupported = (error: unknown): boolean =>
  statusOf(error) === 501 || nameOf(error) === "NotImplemented" || nameOf(error) === "MethodNotAllowed";

/** Maps an error of the SDK to a `StoreError`; one that may pass by itself is `UNAVAILABLE`. */
export function storeErrorOf(error: unknown, what: string): StoreError {
  if (error instanceof StoreError) return error;
  const status = statusOf(error);
  const name = nameOf(error);
  const why = `${name}${status > 0 ? ` (${status})` : ""}: ${(error as ServiceFault).message ?? String(error)}`;
  return new StoreError(codeOf(error, name, status), what, why, { cause: error });
}

const REFUSED = /^(AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|CredentialsProviderError|ExpiredToken)$/;

function codeOf(error: unknown, name: string, status: number): StoreErrorCode {
  if (name === "NoSuchBucket") return "NO_BUCKET";
  if (isMissing(error)) return "NO_OBJECT";
  if (name === "InvalidRange" || status === 416) return "BAD_RANGE";
  if (REFUSED.test(name) || status === 401 || status === 403) return "DENIED";
  if (status === 507 || name === "XMinioStorageFull") return "FULL";
  return "UNAVAILABLE";
}
