import type { EnvelopeErrorCode } from "@reenact/envelope";

/** Exit codes of the command; the README has the table. */
export const EXIT = {
  ok: 0,
  failed: 1,
  cancelled: 2,
  usage: 3,
  unauthorised: 4,
  unreachable: 5,
  nothing: 6,
  diverged: 10,
  incomplete: 11,
  maxCost: 12,
  interrupted: 130,
} as const;

/** Every code that an error line ends with, and its exit code. The README explains each. */
export const ERROR_CODES = {
  "REEN-USAGE": EXIT.usage,
  "REEN-NO-COMMAND": EXIT.usage,
  "REEN-CANNOT-START": EXIT.usage,
  "REEN-NODE": EXIT.usage,
  "REEN-NO-RUN": EXIT.usage,
  "REEN-NOT-SENT": EXIT.usage,
  "REEN-AMBIGUOUS": EXIT.usage,
  "REEN-NO-STEP": EXIT.usage,
  "REEN-NO-FILE": EXIT.usage,
  "REEN-NOT-A-RUN": EXIT.usage,
  "REEN-NEWER-VERSION": EXIT.usage,
  "REEN-DAMAGED": EXIT.usage,
  "REEN-TRUNCATED": EXIT.usage,
  "REEN-TOO-LARGE": EXIT.usage,
  "REEN-BAD-DATA": EXIT.usage,
  "REEN-REDACTION": EXIT.usage,
  "REEN-STRAY-VALUES": EXIT.usage,
  "REEN-NO-KEY": EXIT.usage,
  "REEN-NO-VAULT": EXIT.usage,
  "REEN-VAULT-KEY": EXIT.usage,
  "REEN-OUTPUT": EXIT.usage,
  "REEN-NOT-REPLAYABLE": EXIT.incomplete,
  "REEN-NO-STORE": EXIT.usage,
  "REEN-EXPIRED": EXIT.usage,
  "REEN-PACK-MISSING": EXIT.unreachable,
  "REEN-NOT-SEALED": EXIT.usage,
  "REEN-NOT-A-COLLECTOR": EXIT.usage,
  "REEN-UNAUTHORISED": EXIT.unauthorised,
  "REEN-STORE": EXIT.unreachable,
  "REEN-SERVER": EXIT.unreachable,
  "REEN-HELD-BACK": EXIT.unreachable,
  "REEN-NOTHING-ARRIVED": EXIT.nothing,
  "REEN-FIXTURE": EXIT.usage,
  "REEN-GIT": EXIT.usage,
  "REEN-NO-TESTS": EXIT.failed,
  "REEN-FAULT": EXIT.failed,
} as const;

export type CliErrorCode = keyof typeof ERROR_CODES;

/** What the errors of the trace format are called here. */
export const ENVELOPE_CODES: Record<EnvelopeErrorCode, CliErrorCode> = {
  NOT_AN_ENVELOPE: "REEN-NOT-A-RUN",
  NOT_A_PACK: "REEN-NOT-A-RUN",
  NO_RUN: "REEN-NOT-A-RUN",
  OTHER_RUN: "REEN-NOT-A-RUN",
  NOT_REPLAYABLE: "REEN-NOT-REPLAYABLE",
  NEWER_VERSION: "REEN-NEWER-VERSION",
  BAD_HEADER: "REEN-DAMAGED",
  DAMAGED: "REEN-DAMAGED",
  DIGEST_MISMATCH: "REEN-DAMAGED",
  TRUNCATED: "REEN-TRUNCATED",
  TOO_LARGE: "REEN-TOO-LARGE",
  BAD_JSON: "REEN-BAD-DATA",
  BAD_VALUE: "REEN-BAD-DATA",
  BAD_JOURNAL: "REEN-BAD-DATA",
  BAD_OTLP: "REEN-BAD-DATA",
};
