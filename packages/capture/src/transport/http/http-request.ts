import type { HeaderPairs } from "@reenact/envelope";
import type http from "node:http";
import { header, readHead, type WireHead } from "./http-head.ts";

export interface OutgoingHead {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderPairs;
  /** it will become another protocol: no exchange of ours */
  readonly upgrades: boolean;
}

/** What a request that has just been made is going to ask, as far as it is known by then. */
export function outgoing(request: http.ClientRequest): OutgoingHead {
  const headers = headersOf(request);
  const { method, path, protocol } = request;
  const host = header(headers, "host") ?? request.host;
  // an absolute path goes to a proxy
  const url = new URL(
    /^https?:\/\//i.test(path) ? path : `${protocol}//${host}${path.startsWith("/") ? "" : "/"}${path}`,
  );
  return { method, url, headers, upgrades: method === "CONNECT" || header(headers, "upgrade") !== undefined };
}

function headersOf(request: http.ClientRequest): HeaderPairs {
  const written = (request as unknown as { _header: string | null })._header;
  if (written !== null) return readHead(written.slice(0, written.indexOf("\r\n\r\n")))?.headers ?? [];
  return request.getRawHeaderNames().flatMap((name): HeaderPairs => {
    const value = request.getHeader(name);
    return (Array.isArray(value) ? value : [value ?? ""]).map((v) => [name, String(v)]);
  });
}

/** Where a request goes by the head that was written: a program may change its path and its host until then. `made`: where it was made for. */
export function writtenTo({ start, headers }: WireHead, made: string): string {
  const [, path = ""] = start.split(" ");
  const { protocol, host } = new URL(made);
  const base = `${protocol}//${header(headers, "host") ?? host}`;
  return URL.canParse(path, base) ? new URL(path, base).href : made;
}
