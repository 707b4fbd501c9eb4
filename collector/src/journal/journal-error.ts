import { errorCode } from "./error-code.ts";
export type JournalErrorCode =
  /** no space left, or less than the configured reserve */
  | "NO_SPACE"
  /** the disk refused a write or a sync */
  | "IO"
  /** the journal is closed, or its worker died */
  | "CLOSED"
  /** larger than one record may be */
  | "TOO_LARGE"
  /** another process has this folder open */
  | "LOCKED"
  /** the folder is not a journal, or of a newer version */
  | "NOT_A_JOURNAL"
  /** the position is behind everything that was ever written here */
  | "CURSOR_AHEAD"
  /** the bytes were released */
  | "RELEASED"
  /** the bytes are not what was written */
  | "DAMAGED"
  /** the brokers do not answer, or acknowledge nothing now */
  | "UNAVAILABLE"
  /** the brokers refuse this user */
  | "DENIED"
  /** what is acknowledged can be lost: with the one broker that acknowledges, or to compaction */
  | "UNSAFE_TOPIC"
  /** it is another one under the same name */
  | "REPLACED"
  /** the package of the driver is not installed */
  | "NO_DRIVER";

/** The next step for an operator, per code. */
const NEXT: Record<JournalErrorCode, string> = {
  NO_SPACE: "free disk space, or lower journal.minFreeBytes",
  IO: "check the disk and the system log; senders keep what was refused and send it again",
  CLOSED: "send it again",
  TOO_LARGE: "send smaller requests",
  LOCKED: "stop the other collector, or give this one a data folder of its own",
  NOT_A_JOURNAL: "point the collector at its own data folder, or update it",
  CURSOR_AHEAD: "the journal folder was replaced: restore it, or rebuild the catalog",
  RELEASED: "read the sealed run instead",
  DAMAGED: "look at the *.damaged files beside the segment, and check the disk",
  UNAVAILABLE: "start the brokers, or correct journal.url; senders keep what was refused and send it again",
  DENIED: "correct the user and password in journal.url, or the rights of that user",
  UNSAFE_TOPIC:
    "give the topic 3 replicas, min.insync.replicas=2 and cleanup.policy=delete, or, where a lost broker may lose runs, start with --allow-single-broker",
  REPLACED: "start it again: it reads the new topic; what was in the old one and not sealed has to be sent again",
  NO_DRIVER: "npm install @platformatic/kafka beside @reenact/collector",
};

export class JournalError extends Error {
  readonly code: JournalErrorCode;
  readonly next: string;

  constructor(code: JournalErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "JournalError";
    this.code = code;
    this.next = NEXT[code];
  }

  static from(error: unknown, what: string): JournalError {
    if (error instanceof JournalError) return error;
    const code = errorCode(error);
    const full = code === "ENOSPC" || code === "EDQUOT";
    return new JournalError(
      full ? "NO_SPACE" : "IO",
      `${what}: ${error instanceof Error ? error.message : code}`,
      error,
    );
  }
}
