import { appendFileSync } from "node:fs";
import { isUtf8 } from "node:buffer";

export interface LoggedRequest {
  readonly event: "request";
  /** running number of the request, from 1 */
  readonly n: number;
  /** milliseconds since the epoch */
  readonly at: number;
  readonly serial: string;
  readonly method: string;
  readonly path: string;
  /** names and values in turn, as received */
  readonly headers: readonly string[];
  /** the body where it is text, else absent */
  readonly text?: string;
  readonly base64?: string;
}

export interface LoggedEnd {
  readonly event: "end";
  readonly n: number;
  readonly at: number;
  /** `cancelled`: the client closed before the answer was whole; `dropped`: the provider did */
  readonly how: "complete" | "cancelled" | "dropped";
  /** length of the whole answer, however much of it was sent */
  readonly bytes: number;
}

export type Logged = LoggedRequest | LoggedEnd;

/** The body of a logged request, as the bytes that came. */
export function loggedBody(entry: LoggedRequest): Buffer {
  return entry.text === undefined ? Buffer.from(entry.base64 ?? "", "base64") : Buffer.from(entry.text, "utf8");
}

export function bodyFields(raw: Buffer): { text: string } | { base64: string } {
  return isUtf8(raw) ? { text: raw.toString("utf8") } : { base64: raw.toString("base64") };
}

/** Writes each entry as a line, at once, so that the log is right whoever is killed and when. */
export function writeTo(file: string | undefined): (entry: Logged) => void {
  return (entry) => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`);
  };
}
