export type EnvelopeErrorCode =
  | "NOT_AN_ENVELOPE"
  | "NOT_A_PACK"
  | "NEWER_VERSION"
  | "BAD_HEADER"
  | "TRUNCATED"
  | "DAMAGED"
  | "DIGEST_MISMATCH"
  | "TOO_LARGE"
  | "NO_RUN"
  | "OTHER_RUN"
  | "NOT_REPLAYABLE"
  | "BAD_JSON"
  | "BAD_VALUE"
  | "BAD_JOURNAL"
  | "BAD_OTLP";

/** What to do next, per code; SPEC.md §10 has the same table. */
const NEXT: Record<EnvelopeErrorCode, string> = {
  NOT_AN_ENVELOPE: "check the file; `reenact import` takes OTLP files",
  NOT_A_PACK: "read its envelopes one by one, or fetch the pack again",
  NEWER_VERSION: "update reenact",
  BAD_HEADER: "fetch the envelope again",
  TRUNCATED: "fetch the envelope again, or read it up to the damage",
  DAMAGED: "fetch the envelope again, or read it up to the damage",
  DIGEST_MISMATCH: "fetch the envelope again, or read it up to the damage",
  TOO_LARGE: "raise the cap if you trust where it comes from",
  NO_RUN: "these spans are context of a run, not a run",
  OTHER_RUN: "split the spans by run id",
  NOT_REPLAYABLE: "record the program with `reenact run`",
  BAD_JSON: "",
  BAD_VALUE: "if it was written by a newer reenact, update this one",
  BAD_JOURNAL: "",
  BAD_OTLP: "check that the file holds OTLP trace data",
};

/** The one error of this package. `offset` counts UTF-16 units in text and bytes in binary data. */
export class EnvelopeError extends Error {
  readonly code: EnvelopeErrorCode;
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly offset: number | null;

  constructor(code: EnvelopeErrorCode, what: string, why: string, options: { offset?: number; cause?: unknown } = {}) {
    super(`${what}: ${why}`, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "EnvelopeError";
    this.code = code;
    this.what = what;
    this.why = why;
    this.next = NEXT[code];
    this.offset = options.offset ?? null;
  }

  /** An error of ours as it is; anything else under `code`, with its cause kept. */
  static from(error: unknown, code: EnvelopeErrorCode, what: string): EnvelopeError {
    if (error instanceof EnvelopeError) return error;
    return new EnvelopeError(code, what, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Malformed JSON; `offset`: of the first wrong character. */
export class JsonSyntaxError extends EnvelopeError {
  constructor(why: string, offset: number) {
    super("BAD_JSON", "JSON text", `${why} at offset ${offset}`, { offset });
    this.name = "JsonSyntaxError";
  }
}
