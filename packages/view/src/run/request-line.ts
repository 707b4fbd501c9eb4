import { decodeValue } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";

/** What is shown of the input and output of such a run (SPEC.md §4). */
interface Shown {
  readonly method?: string;
  readonly url?: string;
  readonly status?: number;
  readonly aborted?: boolean;
  readonly by?: string;
  readonly from?: string;
  readonly name?: string;
  readonly job?: { readonly id?: unknown; readonly attempt?: unknown };
}

/**
 * Of a run that a request to a server is: method, URL and the status of the response; of a job: what delivered it, the queue or
 * schedule, its name, id and attempt. Null for others.
 */
export function requestLine({ facts }: Pick<Envelope, "facts">): string | null {
  if (facts?.input === undefined) return null;
  if (facts.trigger === "job") return jobLine(shown(facts.input));
  if (facts.trigger !== "request") return null;
  const { method = "", url = "" } = shown(facts.input);
  const { status, aborted } = shown(facts.output);
  const answer = status === undefined ? "no response" : `${status}${aborted === true ? ", cut off" : ""}`;
  return `${method} ${url} → ${answer}`;
}

function jobLine({ by = "", from = "", name, job: { id, attempt } = {} }: Shown): string {
  const number = typeof id === "string" || typeof id === "number" ? ` ${id}` : "";
  const which = typeof attempt === "number" && attempt > 1 ? `, attempt ${attempt}` : "";
  return `${by} job${number} of ${from}${name === undefined ? "" : `: ${name}`}${which}`;
}

function shown(typed: string | undefined): Shown {
  try {
    return typed === undefined ? {} : ((decodeValue(typed) ?? {}) as Shown);
  } catch {
    return {};
  }
}
