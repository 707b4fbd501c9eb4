import { finished } from "node:stream";
import type http from "node:http";
import type { Server } from "node:net";
import {
  type HeaderValues,
  listeningServers,
  live,
  type RequestValue,
  type ResponseValue,
} from "@reenact/capture/recorder";
import { decodeValue, findTokens } from "@reenact/envelope";
import type { GivenHeader } from "./given-header.ts";
import type { Session } from "../session.ts";
import type { Tape } from "../tape/tape.ts";
import { unsealedRoot } from "../tape/tape-vault.ts";
import { compareRefusal } from "../verdict/compare-response.ts";
import { listed } from "../verdict/listed.ts";

/** What describes how the request was sent, not what was asked. The recorded body has no encoding any more. */
const OF_THE_CONNECTION = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "expect",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);
const UNREADABLE = /^UNSCANNED_\d+$/;

/** The request of a run that a server got, with its originals where the vault is open; null: it is not in the record. */
export function recordedRequest(tape: Tape): RequestValue | null {
  const { input } = unsealedRoot(tape);
  return input === undefined ? null : (decodeValue(input) as RequestValue);
}

/** Why the recorded request cannot be sent; null: it can. */
export function whyNotSent(tape: Tape): string | null {
  const request = recordedRequest(tape);
  if (request === null) return "the recording has no request: its process ended first";
  if (request.cut !== undefined) return "the recording has only a part of the request's body";
  if (typeof request.body === "string" && UNREADABLE.test(request.body))
    return "the body of the request could not be read when it was recorded";
  return null;
}

/** Sends the recorded request to the program's own server. Resolves when the response has come, or the connection is closed. */
export async function sendRequest(session: Session, tape: Tape, given: readonly GivenHeader[]): Promise<void> {
  const request = recordedRequest(tape);
  if (request === null) return;
  const server = serverFor(request.server);
  if (server === null) return;
  const headers = withHeaders(request.headers, given);
  const redacted = redactedNames(headers);
  noteRedacted(session, tape.root.name ?? "the request", redacted);
  session.awaited = tape;
  try {
    const status = await live(() => exchange(server, request, headers, abortsAfter(tape)));
    const ledger = session.ledgerOn(tape);
    if (status !== null && ledger !== null) compareRefusal(ledger, status, redacted);
  } finally {
    session.awaited = null;
  }
}

/** Bytes of a response after which the recorded client went away; null: it did not. */
function abortsAfter({ root: { output } }: Tape): number | null {
  const response = output === undefined ? null : (decodeValue(output) as ResponseValue);
  if (response?.aborted !== true) return null;
  const { body } = response;
  return body === null ? 0 : Buffer.byteLength(body);
}

/** The server that has the recorded port, else the one that was told to listen as the recorded one was, else the first. */
function serverFor(recorded: RequestValue["server"]): Server | null {
  const servers = listeningServers();
  const sameAddress = servers.find((server) => {
    const address = server.address();
    return recorded !== null && recorded.address === (typeof address === "string" ? address : address?.port);
  });
  return sameAddress ?? servers[recorded?.number ?? 0] ?? servers[0] ?? null;
}

function withHeaders(recorded: HeaderValues, given: readonly GivenHeader[]): HeaderValues {
  const own = new Set(given.map(([name]) => name.toLowerCase()));
  const kept = Object.entries(recorded).filter(([name]) => {
    const key = name.toLowerCase();
    return !OF_THE_CONNECTION.has(key) && !own.has(key);
  });
  return { ...Object.fromEntries(kept), ...Object.fromEntries(given) };
}

function redactedNames(headers: HeaderValues): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    findTokens([value].flat().join("\n")).length > 0 ? [name.toLowerCase()] : [],
  );
}

function noteRedacted(session: Session, request: string, names: readonly string[]): void {
  if (names.length > 0)
    session.ledger.note(
      `${request} was sent with ${names.length === 1 ? "a header" : "headers"} as redacted: ${listed(names, 5)} (--header "${names[0] ?? ""}: …" gives the value)`,
    );
}

/** Resolves with the status of the response, or null where none came, once its body has come or the connection is closed. */
function exchange(
  server: Server,
  { method, url, body }: RequestValue,
  headers: HeaderValues,
  abortAfter: number | null,
): Promise<number | null> {
  return new Promise((resolve) => {
    let status: number | null = null;
    const isSecure = "setSecureContext" in server;
    const { request: send } = isSecure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
    const hasLength = body !== null || !["GET", "HEAD", "DELETE", "OPTIONS"].includes(method);
    const length = hasLength ? { "content-length": body === null ? 0 : Buffer.byteLength(body) } : {};
    const request = send({
      ...placeOf(server),
      method,
      path: url,
      headers: { ...headers, ...length },
      setHost: false,
      agent: false,
      rejectUnauthorized: false,
    });
    request.once("response", (response: http.IncomingMessage) => {
      status = response.statusCode ?? null;
      let left = abortAfter ?? Infinity;
      const take = (bytes: number): void => {
        left -= bytes;
        if (left <= 0) request.destroy();
      };
      take(0);
      response.on("data", (chunk: Uint8Array) => take(chunk.length));
      finished(response, () => resolve(status));
    });
    // what the server answered, or that it did not, is judged where it was recorded: in the program
    request.once("error", () => resolve(status));
    request.once("close", () => resolve(status));
    request.end(body ?? undefined);
  });
}

function placeOf(server: Server): { socketPath: string } | { host: string; port: number } {
  const address = server.address();
  if (typeof address === "string") return { socketPath: address };
  const host = address?.address ?? "127.0.0.1";
  return { host: host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host, port: address?.port ?? 0 };
}
