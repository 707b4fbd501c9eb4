import { WireReader } from "../otlp/wire-reader.ts";
import { retryAfter } from "./retry-after.ts";

/** What became of one request to a destination. */
export type Outcome =
  /** it is there, but for `rejected` spans that the destination will never take */
  | { readonly is: "accepted"; readonly rejected: number; readonly message: string }
  /** the same request may succeed later, not before `after` milliseconds if that is said */
  | {
      readonly is: "later";
      readonly why: string;
      readonly after: number | null;
      readonly ours?: true;
      readonly tries?: number;
    }
  /** a smaller request may succeed */
  | { readonly is: "too-large"; readonly why: string }
  /** this request will never succeed */
  | { readonly is: "refused"; readonly why: string };

type Accepted = Extract<Outcome, { is: "accepted" }>;
const TRIES = 3;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** the first kilobytes of it */
  readonly body: Uint8Array;
}

const BUSY = new Set([408, 429, 502, 503, 504]);
/** About the sender's address or key, not about the data. */
const OURS = new Set([401, 403, 404, 407]);

/**
 * The table of OTLP/HTTP 1.11 with two additions. Answers that speak of us and not of the data (401, 403, 404, 407, a
 * redirect) are tried again, since an operator can fix them; `ours` asks for a loud line. A 500 is tried `tries` times and
 * is a refusal then: OTLP says never, but servers say it of their own bad moments.
 */
export function outcomeOf(answer: Answer, now: number): Outcome {
  const { status } = answer;
  const why = `status ${status}${textOf(answer)}`;
  if (status >= 200 && status < 300) return accepted(answer);
  const after = (): number | null => retryAfter(answer.headers["retry-after"], now);
  if (BUSY.has(status)) return { is: "later", why, after: after() };
  if (status === 413) return { is: "too-large", why };
  if (OURS.has(status) || (status >= 300 && status < 400)) return { is: "later", why, after: after(), ours: true };
  if (status === 500) return { is: "later", why, after: null, tries: TRIES };
  return { is: "refused", why };
}

/** An `ExportTraceServiceResponse`, if it is one. */
function accepted({ headers, body }: Answer): Accepted {
  const none: Accepted = { is: "accepted", rejected: 0, message: "" };
  if (!String(headers["content-type"] ?? "").startsWith("application/x-protobuf")) return none;
  try {
    let outcome = none;
    const reader = new WireReader(body);
    for (let field = reader.field(); field !== 0; field = reader.field()) {
      if (field === 1) outcome = partial(reader.message());
      else reader.skip();
    }
    return outcome;
  } catch {
    return none;
  }
}

function partial(reader: WireReader): Accepted {
  let rejected = 0;
  let message = "";
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) rejected = Number(reader.int64());
    else if (field === 2) message = reader.string();
    else reader.skip();
  }
  return { is: "accepted", rejected, message: message.slice(0, 500) };
}

/** What the destination says, if it is text. */
function textOf({ headers, body }: Answer): string {
  if (!/^(text\/|application\/json)/.test(String(headers["content-type"] ?? ""))) return "";
  const text = Buffer.from(body.subarray(0, 300)).toString("utf8").replaceAll(/\s+/g, " ").trim();
  return text === "" ? "" : `: ${text}`;
}
