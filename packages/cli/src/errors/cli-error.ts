import { EnvelopeError } from "@reenact/envelope";
import { oneLine } from "@reenact/view";
import { type CliErrorCode, ENVELOPE_CODES, ERROR_CODES } from "./error-code.ts";

const WIDTH = 1000;

/** One line for people: what, where, why, and the next command. */
export class CliError extends Error {
  readonly code: CliErrorCode;
  /** exit code of the command */
  readonly exit: number;
  readonly next: string;

  constructor(code: CliErrorCode, message: string, next: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "CliError";
    this.code = code;
    this.exit = ERROR_CODES[code];
    this.next = next;
  }

  /** An error of ours as it is; one of the trace format under its code; anything else is a fault. `where`: a path. */
  static from(error: unknown, where = ""): CliError {
    if (error instanceof CliError) return error;
    const place = where === "" ? "" : `${where}: `;
    if (error instanceof EnvelopeError)
      return new CliError(
        ENVELOPE_CODES[error.code],
        `${place}${error.message}`,
        error.next || "name another run or file",
        { cause: error },
      );
    return new CliError("REEN-FAULT", `${place}${messageOf(error)}`, "the same with --verbose shows where", {
      cause: error,
    });
  }

  /** The store, or a file in it, cannot be read or written. */
  static store(store: string, what: string, error: unknown): CliError {
    if (error instanceof CliError) return error;
    return new CliError(
      "REEN-STORE",
      `${what} ${store}: ${messageOf(error)}`,
      "name another folder with --store, or make this one accessible",
      { cause: error },
    );
  }

  /** Without control characters: paths and messages may come from anywhere. */
  get line(): string {
    return `reenact: ${oneLine(`${this.message}. Next: ${this.next} [${this.code}]`, WIDTH)}\n`;
  }
}

/** The message of anything thrown; several are joined. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
