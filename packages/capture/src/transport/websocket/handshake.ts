import type { HeaderPairs } from "@reenact/envelope";
import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import { header } from "../http/http-head.ts";

/** The request that is to become a WebSocket. */
export interface HandshakeRequest {
  readonly url: URL;
  readonly headers: HeaderPairs;
}

/** The answer to it, as a record has it. */
export interface Handshake {
  readonly status: number;
  readonly reason: string;
  /** without cookies, and the proof that the server has read the key, which is another each time */
  readonly headers: HeaderPairs;
  /** that proof was right */
  readonly accepted: boolean;
  /** of an answer that is no WebSocket */
  readonly body?: string | Uint8Array;
}

/** A real answer. */
export interface LiveHandshake extends Omit<Handshake, "accepted"> {
  /** null: it became no WebSocket */
  readonly socket: Duplex | null;
  /** what came with the head */
  readonly first: Buffer;
}

const PROOF = "sec-websocket-accept";
const EXTENSIONS = "sec-websocket-extensions";
/** Set by the client for each connection, or compared otherwise. */
const NOT_COMPARED =
  /^(?:sec-websocket-(?:key|version|extensions|protocol)|connection|upgrade|host|user-agent|origin|cookie|cache-control|pragma|accept|accept-\w+|sec-fetch-\w+|(?:proxy-)?authorization|.*(?:api-?key|token|secret).*|x-stainless-.*|traceparent|tracestate|baggage)$/i;
/** The part of the name of a subprotocol or parameter behind which a credential stands. */
const CREDENTIAL = /key|token|secret|auth|signature|bearer|password/i;

/** What a replay compares of a request. Credentials are not in it: a replay has others. */
export function handshakeArgs({ url, headers }: HandshakeRequest): Record<string, unknown> {
  const protocols = (header(headers, "sec-websocket-protocol") ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => {
      const dot = name.indexOf(".");
      return dot > 0 && CREDENTIAL.test(name.slice(0, dot)) ? `${name.slice(0, dot)}.…` : name;
    });
  const query = [...url.searchParams].filter(([name]) => !CREDENTIAL.test(name));
  const compared = headers
    .filter(([name]) => !NOT_COMPARED.test(name))
    .map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return {
    url: addressOf(url),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(protocols.length > 0 && { protocols }),
    ...(compared.length > 0 && { headers: Object.fromEntries(compared) }),
  };
}

/** Without its parameters. */
export function addressOf({ protocol, host, pathname }: URL): string {
  return `${protocol.replace(/^http/, "ws")}//${host}${pathname}`;
}

export function proofFor(headers: HeaderPairs): string {
  const key = header(headers, "sec-websocket-key") ?? "";
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

export function recordedHandshake(live: LiveHandshake, proof: string): Handshake {
  const { status, reason, headers, body } = live;
  return {
    status,
    reason,
    headers: headers.filter(([name]) => name.toLowerCase() !== PROOF && !isCookie(name)),
    accepted: header(headers, PROOF) === proof,
    ...(body !== undefined && { body }),
  };
}

/**
 * What is sent to the server: the program's request, without the offer to deflate messages. A client deflates what it sends on
 * another thread, in the context of whichever run was the first to do so, and its record would be of that run.
 */
export function sentHeaders(headers: HeaderPairs): HeaderPairs {
  return headers.filter(([name]) => name.toLowerCase() !== EXTENSIONS);
}

/** No record holds cookies, in a header of which everything is secret. */
export function isCookie(name: string): boolean {
  return /^set-cookie2?$/i.test(name);
}

/** The headers that the program reads. */
export function servedHeaders({ status, headers, accepted, body }: Handshake, proof: string): HeaderPairs {
  if (status === 101) return accepted ? [...headers, ["Sec-WebSocket-Accept", proof]] : headers;
  const length = typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0);
  const own = headers.filter(([name]) => !/^(?:content-length|transfer-encoding|connection)$/i.test(name));
  return [...own, ["Content-Length", String(length)], ["Connection", "close"]];
}
