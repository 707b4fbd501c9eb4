import { createScrubber, type Policy } from "@reenact/redaction";
import type { Filter } from "../catalog/filter.ts";

/** Fields whose values a recorder may have replaced by tokens. */
const REDACTED: readonly string[] = ["user", "session", "instance", "tag", "flag", "name"];

/**
 * The filter as it has to be asked of a catalog whose values were redacted: each value as the token that it became.
 * `key` is the scope key of the recorder (`loadScopeKey`), `policy` its policy. For clients: neither the request nor the
 * catalog ever holds what was asked for, where that would have been redacted.
 */
export function redactFilter(filter: Filter, by: { readonly key: Uint8Array; readonly policy?: Policy }): Filter {
  const scrubber = createScrubber(by);
  return redacted(filter, (text) => scrubber.scrub(text).text);
}

function redacted(filter: Filter, redact: (text: string) => string): Filter {
  switch (filter.is) {
    case "all":
    case "any":
      return { is: filter.is, of: filter.of.map((each) => redacted(each, redact)) };
    case "not":
      return { is: "not", of: redacted(filter.of, redact) };
    case "one-of":
      return REDACTED.includes(filter.field) ? { ...filter, values: filter.values.map(redact) } : filter;
    case "words":
      return { is: "words", text: redact(filter.text) };
    case "starts":
    case "number":
    case "complete":
      return filter;
  }
}
