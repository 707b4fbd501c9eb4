/**
 * How a request may end, in the words of OTLP 1.11. `retry`: the sender keeps what it has and sends it again, after the
 * time in `Retry-After` (HTTP) or `RetryInfo` (gRPC). Only what a retry cannot mend is refused for good.
 */
export const STATUS = {
  /** the bytes are no ExportTraceServiceRequest, or cannot be decompressed: "Bad Request", INVALID_ARGUMENT */
  malformed: { http: 400, grpc: 3, retry: false },
  /** what gRPC puts around a message is not as it must be: INTERNAL */
  badFrame: { http: 400, grpc: 13, retry: false },
  /** no key, or one that nobody has: UNAUTHENTICATED */
  unauthenticated: { http: 401, grpc: 16, retry: false },
  /** the key may not do this, or the host or origin is not on the list: PERMISSION_DENIED */
  forbidden: { http: 403, grpc: 7, retry: false },
  /** there is nothing at this path: UNIMPLEMENTED */
  notFound: { http: 404, grpc: 12, retry: false },
  methodNotAllowed: { http: 405, grpc: 12, retry: false },
  /** the body came slower than a sender that is alive would send it */
  tooSlow: { http: 408, grpc: 4, retry: false },
  /** above the limit, as it came or inflated: RESOURCE_EXHAUSTED without RetryInfo */
  tooLarge: { http: 413, grpc: 8, retry: false },
  /** a content type or encoding that OTLP does not have: UNIMPLEMENTED */
  unsupported: { http: 415, grpc: 12, retry: false },
  /** this sender has more under way, or sends more, than its share: RESOURCE_EXHAUSTED with RetryInfo */
  tooMany: { http: 429, grpc: 8, retry: true },
  /** no room in memory or on disk, a disk that does not write, or a collector that is ending: UNAVAILABLE */
  unavailable: { http: 503, grpc: 14, retry: true },
} as const;

export type StatusName = keyof typeof STATUS;

export type Outcome =
  /** all but `rejected` spans are on disk; those can never be kept, and `message` says why */
  { is: "accepted"; spans: number; rejected: number; message: string } | Refusal;

export interface Refusal {
  is: "refused";
  status: StatusName;
  message: string;
  /** seconds after which to come again, for what may be tried again; absent: `RETRY_AFTER_S` */
  retryAfter?: number;
}

/** Seconds after which a sender may try again. */
export const RETRY_AFTER_S = 1;

export const refused = (status: StatusName, message: string): Refusal => ({ is: "refused", status, message });
