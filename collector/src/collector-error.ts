export type CollectorErrorCode = "BAD_CONFIG" | "PORT_BUSY" | "UNSAFE_BIND" | "BAD_DATA_FOLDER";

/** An error that keeps a collector from starting. `line` says what, where, why, and what to do next. */
export class CollectorError extends Error {
  override readonly name = "CollectorError";
  readonly code: CollectorErrorCode;
  /** the next command or edit */
  readonly next: string;

  constructor(code: CollectorErrorCode, message: string, next: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.next = next;
  }

  get line(): string {
    return `${this.code}: ${this.message}; next: ${this.next}\n`;
  }
}
