import type { RecordedError } from "@reenact/envelope";
import { scrubText, type Tally } from "./scrub-exchange.ts";
import { scrubTyped } from "./scrub-typed.ts";
import type { Scrubber } from "./scrubber.ts";

/** What is recorded of something that was thrown, redacted; a value that is no error is a typed text in it. */
export function scrubError(error: RecordedError, scrubber: Scrubber, tally: Tally): RecordedError {
  const { raw, cause, ...said } = error;
  const plain = <T>(value: T): T =>
    JSON.parse(scrubText(scrubber, JSON.stringify(value), tally, { mime: "application/json" })) as T;
  return {
    ...plain(said),
    ...(raw === undefined
      ? {}
      : isTyped(raw)
        ? { raw: { $value: scrubTyped(scrubber, raw.$value, tally) } }
        : plain({ raw })),
    ...(cause === undefined ? {} : { cause: scrubError(cause, scrubber, tally) }),
  };
}

function isTyped(raw: unknown): raw is { $value: string } {
  return typeof raw === "object" && raw !== null && "$value" in raw && typeof raw.$value === "string";
}
