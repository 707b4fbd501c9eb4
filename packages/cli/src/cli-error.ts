/** Exit codes of the command; the README has the table. */
export const EXIT = { ok: 0, failed: 1, cancelled: 2, usage: 3, unauthorised: 4, unreachable: 5, nothing: 6, diverged: 10, incomplete: 11, interrupted: 130 } as const;

export type CliErrorCode = "REEN-USAGE" | "REEN-NO-COMMAND" | "REEN-NO-RUN" | "REEN-AMBIGUOUS" | "REEN-NO-FILE" | "REEN-NOT-A-RUN" | "REEN-STORE" | "REEN-CANNOT-START" | "REEN-NO-STEP";

/** One line for people: what, why, and the next command. */
export class CliError extends Error {
  readonly code: CliErrorCode;
  readonly exit: number;
  readonly next: string;

  constructor(code: CliErrorCode, message: string, next: string, exit: number = EXIT.usage) {
    super(message);
    this.name = "CliError";
    this.code = code;
    this.next = next;
    this.exit = exit;
  }
}
