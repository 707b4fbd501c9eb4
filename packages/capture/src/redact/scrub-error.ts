import type { RecordedError } from "@reenact/envelope";
import { scrubText, type Tally } from "./scrub-exchange.ts";
import { hiddenLeaves } from "./scrub-renamed.ts";
import { scrubTyped } from "./scrub-typed.ts";
import type { Scrubber } from "./scrubber.ts";

/**
 * What is recorded of something that was thrown, redacted; a value that is no error is a typed text in it. `json`: what its `toJSON` makes of
 * it; what is hidden there is hidden among its own members too.
 */
export function scrubError(
  error: RecordedError,
  scrubber: Scrubber,
  tally: Tally,
  json?: string | null,
): RecordedError {
  const { raw, cause, typed, ...seen } = error;
  const said = json === undefined || json === null ? seen : withoutHidden(seen, json, scrubber);
  const plain = <T>(value: T): T =>
    JSON.parse(scrubText(scrubber, JSON.stringify(value), tally, { mime: "application/json" })) as T;
  return {
    ...plain(said),
    ...(raw === undefined
      ? {}
      : isTyped(raw)
        ? { raw: { $value: scrubTyped(scrubber, raw.$value, tally) } }
        : plain({ raw })),
    ...(typed === undefined ? {} : { typed: scrubTyped(scrubber, typed, tally) }),
    ...(cause === undefined ? {} : { cause: scrubError(cause, scrubber, tally) }),
  };
}

function withoutHidden<T extends Pick<RecordedError, "own">>(error: T, json: string, scrubber: Scrubber): T {
  if (error.own === undefined) return error;
  const hidden = hiddenLeaves(json, scrubber.scrub(json, { mime: "application/json" }).text);
  const own = Object.entries(error.own).map(([name, value]) => [name, hidden.get(value) ?? value]);
  return { ...error, own: Object.fromEntries(own) as T["own"] };
}

function isTyped(raw: unknown): raw is { $value: string } {
  return typeof raw === "object" && raw !== null && "$value" in raw && typeof raw.$value === "string";
}
