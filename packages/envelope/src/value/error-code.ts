/** The `code` of an error of Node or of a library, such as `ENOENT`; undefined for anything else, and for a code that is no text. */
export function errorCode(error: unknown): string | undefined {
  const isCoded = typeof error === "object" && error !== null && "code" in error;
  return isCoded && typeof error.code === "string" ? error.code : undefined;
}

/** Whether an error came from a call of the operating system: its message names paths and addresses, never a text of the agent. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && error.syscall !== undefined;
}
