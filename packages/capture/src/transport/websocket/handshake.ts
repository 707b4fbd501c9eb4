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
const PROTOCOL = "sec-websocket-protocol";
const EXTENSIONS = "sec-websocket-extensions";
/** Set by the client for each connection, or compared otherwise. */
const NOT_COMPARED =
  /^(?:sec-websocket-(?:key|version|extensions|protocol)|connection|upgrade|host|user-agent|origin|cookie|cache-control|pragma|accept|accept-\w+|sec-fetch-\w+|(?:proxy-)?authorization|x-stainless-.*|traceparent|tracestate|baggage)$/i;
/** The last word of the name of a parameter or header whose value is a credential; not `max_tokens`, `keyterm`, `author`. */
const CREDENTIAL =
  /(?:^|[^a-z])(?:api|access|auth|id|session|security|client|refresh)?(?:key|token|secret|auth|authorization|signature|sig|bearer|pass|passwd|password|credentials?|jwt)$/i;
/** A subprotocol that says of the next one that it is a credential: `["token", "…"]`. */
const NAMES_NEXT = /^(?:[\w-]*[-_])?(?:api-?key|key|token|bearer|jwt|secret|password|auth|authorization)$/i;
/** What stands behind such a word of a subprotocol, as in `openai-insecure-api-key.…`. */
const BEHIND_WORD = /^(.*?(?:key|token|secret|auth|signature|bearer|password|jwt)[a-z]*[^a-z0-9]).+$/i;
/** No word of a name: letters with digits or of both cases. */
const RANDOM = /(?=[A-Za-z0-9]*(?:\d|[a-z][A-Z]))[A-Za-z0-9]{16,}/;

/** What a replay compares of a request. Credentials are not in it: a replay has others. */
export function handshakeArgs({ url, headers }: HandshakeRequest): Record<string, unknown> {
  const protocols = namedProtocols(headers).map(({ name }) => name);
  const query = [...url.searchParams].filter(([name]) => !isCredential(name));
  const compared = headers
    .filter(([name]) => !NOT_COMPARED.test(name) && !isCredential(name))
    .map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return {
    url: addressOf(url),
    ...(query.length > 0 && { query: byName(query) }),
    ...(protocols.length > 0 && { protocols }),
    ...(compared.length > 0 && { headers: byName(compared) }),
  };
}

function isCredential(name: string): boolean {
  return CREDENTIAL.test(name.replace(/([a-z0-9])([A-Z])/g, "$1-$2"));
}

/** A name that comes several times has a list of its values. */
function byName(pairs: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] as string) : all]));
}

/** The subprotocols of a request, and what a record has of each: without credentials, and no two the same. */
function namedProtocols(headers: HeaderPairs): { readonly offered: string; readonly name: string }[] {
  const all = headers
    .filter(([name]) => name.toLowerCase() === PROTOCOL)
    .flatMap(([, value]) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const names: string[] = [];
  return all.map((offered, i) => {
    const isNamed = i > 0 && NAMES_NEXT.test(all[i - 1] as string);
    let name = isNamed ? "…" : offered.replace(BEHIND_WORD, "$1…");
    if (RANDOM.test(name)) name = "…";
    if (name !== offered && names.includes(name)) name += String(i);
    names.push(name);
    return { offered, name };
  });
}

/** Without its parameters. */
export function addressOf({ protocol, host, pathname }: URL): string {
  return `${protocol.replace(/^http/, "ws")}//${host}${pathname}`;
}

export function proofFor(headers: HeaderPairs): string {
  const key = header(headers, "sec-websocket-key") ?? "";
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

export function recordedHandshake(live: LiveHandshake, asked: HeaderPairs): Handshake {
  const { status, reason, headers, body } = live;
  const offered = namedProtocols(asked);
  return {
    status,
    reason,
    headers: headers
      .filter(([name]) => name.toLowerCase() !== PROOF && !isCookie(name))
      .map(([name, value]): [string, string] => [
        name,
        name.toLowerCase() === PROTOCOL ? (offered.find((each) => each.offered === value)?.name ?? value) : value,
      ]),
    accepted: header(headers, PROOF) === proofFor(asked),
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
export function servedHeaders({ status, headers, accepted, body }: Handshake, asked: HeaderPairs): HeaderPairs {
  if (status === 101) {
    const offered = namedProtocols(asked);
    const told = headers.map(([name, value]): [string, string] => [
      name,
      name.toLowerCase() === PROTOCOL ? (offered.find((each) => each.name === value)?.offered ?? value) : value,
    ]);
    return accepted ? [...told, ["Sec-WebSocket-Accept", proofFor(asked)]] : told;
  }
  const length = typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0);
  const own = headers.filter(([name]) => !/^(?:content-length|transfer-encoding|connection)$/i.test(name));
  return [...own, ["Content-Length", String(length)], ["Connection", "close"]];
}
