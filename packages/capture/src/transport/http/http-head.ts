import type { HeaderPairs } from "@reenact/envelope";

/** First line and headers of a message on the wire; names, case, order and repetitions as sent. */
export interface WireHead {
  readonly start: string;
  readonly headers: HeaderPairs;
}

/** How the end of a body is found: it has none, or by length, by chunks, or by the end of the connection. */
export type Framing =
  | { readonly by: "nothing" | "chunks" | "close" }
  | { readonly by: "length"; readonly length: number };

/** Reads a head up to and without its empty line, decoded as Latin-1; null if it is none. */
export function readHead(text: string): WireHead | null {
  const [start = "", ...lines] = text.split("\r\n");
  const headers: HeaderPairs = [];
  for (const line of lines) {
    const last = headers.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      last[1] += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 1) return null;
    headers.push([line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "")]);
  }
  return { start, headers };
}

export function writeHead(head: WireHead): Buffer {
  const lines = head.headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${head.start}\r\n${lines.join("")}\r\n`, "latin1");
}

export function header(headers: HeaderPairs, name: string): string | undefined {
  return headers.find(([n]) => n.toLowerCase() === name)?.[1];
}

/** `otherwise`: what a message without either header has. */
export function framingOf(headers: HeaderPairs, otherwise: "nothing" | "close"): Framing {
  const coding = header(headers, "transfer-encoding");
  if (coding !== undefined) return { by: /(^|,)\s*chunked$/i.test(coding.trim()) ? "chunks" : otherwise };
  const length = header(headers, "content-length");
  if (length !== undefined && /^\d+$/.test(length)) return { by: "length", length: Number(length) };
  return { by: otherwise };
}

export interface StatusLine {
  readonly status: number;
  readonly reason: string;
}

export function readStatusLine(start: string): StatusLine | null {
  const match = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(start);
  return match === null ? null : { status: Number(match[1]), reason: match[2] ?? "" };
}

export function answerFraming(method: string, status: number, headers: HeaderPairs): Framing {
  if (method === "HEAD" || status === 204 || status === 304) return { by: "nothing" };
  return framingOf(headers, "close");
}
