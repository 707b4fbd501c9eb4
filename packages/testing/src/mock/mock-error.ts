export type MockErrorCode =
  | "UNEXPECTED_CALL"
  | "UNUSED_ANSWERS"
  | "TOOL_NOT_OFFERED"
  | "NO_FORMAT"
  | "REFUSED_REQUEST"
  | "BAD_SCRIPT";

/** What the code under test did that `mockLLM()` was not told of, and what to do next. */
export class MockError extends Error {
  readonly code: MockErrorCode;
  readonly next: string;

  constructor(code: MockErrorCode, message: string, next: string, options: { cause?: unknown } = {}) {
    super(`mockLLM: ${message}. Next: ${next}`, options);
    this.name = "MockError";
    this.code = code;
    this.next = next;
  }
}
