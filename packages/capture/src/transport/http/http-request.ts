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
  const url = new URL(addressOf(protocol, host, path));
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

/** An absolute path goes to a proxy. */
function addressOf(protocol: string, host: string, path: string): string {
  return /^https?:\/\//i.test(path) ? path : `${protocol}//${host}${path.startsWith("/") ? "" : "/"}${path}`;
}

/** How a request goes out by the head that was written: a program may change its method, path and host until then. `made`: where it was made for. */
export function writtenAddress({ start, headers }: WireHead, made: string): { method: string; url: string } {
  const [method = "", path = ""] = start.split(" ");
  const { protocol, host } = new URL(made);
  const url = addressOf(protocol, header(headers, "host") ?? host, path);
  return { method, url: URL.canParse(url) ? new URL(url).href : url };
}
