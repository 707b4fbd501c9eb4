import { decodeValue } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";

/** What is shown of the input and output of such a run (SPEC.md §4). */
interface Shown {
  readonly method?: string;
  readonly url?: string;
  readonly status?: number;
  readonly aborted?: boolean;
}

/** Of a run that a request to a server is: method, URL and the status of the response. Null for others. */
export function requestLine({ facts }: Pick<Envelope, "facts">): string | null {
  if (facts?.trigger !== "request" || facts.input === undefined) return null;
  const { method = "", url = "" } = shown(facts.input);
  const { status, aborted } = shown(facts.output);
  const answer = status === undefined ? "no response" : `${status}${aborted === true ? ", cut off" : ""}`;
  return `${method} ${url} → ${answer}`;
}

function shown(typed: string | undefined): Shown {
  try {
    return typed === undefined ? {} : ((decodeValue(typed) ?? {}) as Shown);
  } catch {
    return {};
  }
}
