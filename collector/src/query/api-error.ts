import { errorCode } from "@reenact/envelope";
import { JournalError } from "../journal/journal-error.ts";
import { CatalogError } from "../catalog/catalog-error.ts";

/** Every way in which the API says no: status and what to do. */
export const API_ERRORS = {
  BAD_REQUEST: { status: 400, next: "correct the request; GET /api/v1/openapi.json describes it" },
  BAD_FILTER: { status: 400, next: "correct the filter; OPERATIONS.md has its grammar" },
  BAD_CURSOR: { status: 400, next: "ask for the first page" },
  BAD_POLICY: { status: 409, next: "correct the redaction policy of the project" },
  UNAUTHENTICATED: { status: 401, next: "send `Authorization: Bearer <key>`" },
  NO_LINK: { status: 403, next: "sign in with a key, or start the collector again with --login-link" },
  FORBIDDEN: { status: 403, next: "use a key that has this scope" },
  NO_TOKEN: { status: 403, next: "open the link that `reenact up -- <command>` printed, on this machine" },
  BAD_CALLER: { status: 403, next: "add the name to listen.hosts, or the origin to listen.origins" },
  NOT_FOUND: { status: 404, next: "reenact ls" },
  NO_STEP: { status: 404, next: "GET /api/v1/runs/:run/tree lists the steps of the run" },
  NO_PART: { status: 404, next: "GET /api/v1/runs/:run/steps/:step lists the parts of the step" },
  NO_MARK: { status: 404, next: "GET /api/v1/runs/:run/marks lists the marks of the run" },
  NO_DESTINATION: { status: 404, next: "GET /api/v1/destinations lists them" },
  NO_COMMAND: { status: 404, next: "reenact up -- node agent.js" },
  NO_LIVE: {
    status: 403,
    next: "reenact up --allow-live --max-cost 0.50 --prices prices.json -- node agent.js; or replay in a terminal",
  },
  SPENT: { status: 403, next: "start `reenact up --allow-live` again with the limit that you want" },
  NO_PLAN: { status: 404, next: "look again at what would be sent" },
  BAD_PLAN: { status: 409, next: "change what is sent, or replay in a terminal" },
  NO_TEST: { status: 404, next: "GET /api/v1/tests lists the tests that can be run" },
  NO_REPLAY: { status: 404, next: "start it again; only the last ones are known" },
  EXPIRED: { status: 410, next: "flag or keep runs before they expire, or set retention.short higher" },
  NO_ROUTE: { status: 404, next: "GET /api/v1/openapi.json lists what there is" },
  AMBIGUOUS: { status: 409, next: "give more digits of the run's id" },
  BUSY: { status: 409, next: "wait for it, or cancel it" },
  NOT_SEALED: { status: 409, next: "ask again when the run is sealed" },
  BAD_RANGE: { status: 416, next: "ask for a range within it" },
  PACK_MISSING: {
    status: 500,
    next: "restore the pack from a backup or a version of the bucket, and look at who may delete there",
  },
  DAMAGED: { status: 500, next: "restore the pack from a backup or a version of the bucket" },
  TOO_MANY_STREAMS: { status: 429, next: "close other pages that watch, or ask again later" },
  INTERNAL: { status: 500, next: "look for the same request in the collector's log" },
  UNAVAILABLE: { status: 503, next: "ask again later; /readyz and the log name the cause" },
} as const satisfies Record<string, { status: number; next: string }>;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** An error answer of the API. `message` is one line, and safe to show. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly at: number | null;

  /** `at`: character of the filter at which it is wrong, from 0 */
  constructor(code: ApiErrorCode, message: string, options: { cause?: unknown; at?: number | null } = {}) {
    super(message, options);
    this.code = code;
    this.at = options.at ?? null;
  }

  static from(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    const code = errorCode(error);
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof CatalogError && (code === "BAD_CURSOR" || code === "BAD_FILTER"))
      return new ApiError(code, message, { cause: error, at: error.at });
    if (code === "NO_OBJECT") return new ApiError("EXPIRED", "the run has expired", { cause: error });
    if (code === "DAMAGED" || code === "TRUNCATED")
      return new ApiError("DAMAGED", `the stored run is damaged: ${message}`, { cause: error });
    // its message names the database
    if (code === "UNUSABLE" || (error instanceof CatalogError && code === "DENIED"))
      return new ApiError("UNAVAILABLE", "the catalog does not answer", { cause: error });
    if (code === "UNAVAILABLE" || code === "INCOMPLETE") return new ApiError("UNAVAILABLE", message, { cause: error });
    if (error instanceof JournalError) return new ApiError("UNAVAILABLE", "it cannot be written now", { cause: error });
    return new ApiError("INTERNAL", "something went wrong here", { cause: error });
  }

  get status(): number {
    return API_ERRORS[this.code].status;
  }

  get body() {
    const { code, message, at } = this;
    const error = { code, message, next: API_ERRORS[code].next, ...(at !== null && { at }) };
    return { schemaVersion: 1, error };
  }
}
